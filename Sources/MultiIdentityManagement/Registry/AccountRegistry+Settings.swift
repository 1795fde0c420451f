public import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// The settings of an account: the program's, with those of its own.
    ///
    /// - Parameter identity: The account, or an alias of it; one that is not registered has none of its own.
    /// - Returns: The settings.
    /// - Throws: ``AccountRegistryError`` where the store fails, or has settings that cannot be read.
    public func settings(of identity: Identity) throws(AccountRegistryError) -> IdentitySettings {
        try settings(with: account(identity)?.overridesText, of: identity)
    }

    /// The settings of the program with those of an account's own, as its record has them.
    func settings(with text: String?, of identity: Identity) throws(AccountRegistryError) -> IdentitySettings {
        guard let text else { return settings }
        do throws(IdentitySettingsError) {
            return try settings.overridden(by: Self.overrides(of: identity, text))
        } catch {
            throw AccountRegistryError(.storeFailed, error.message)
        }
    }

    /// Sets a setting of an account's own, or takes it back; it outlives the process, and goes when the account leaves.
    ///
    /// Requests that begin after that go by it. An event of ``AccountEventStatus/settingOverridden`` tells of it in each process.
    ///
    /// - Parameters:
    ///   - setting: A setting that an account can have.
    ///   - value: The value; `nil` takes it back.
    ///   - identity: The account, or an alias of it.
    /// - Throws: ``AccountRegistryError`` where the setting or the value is none that an account can have, the account is
    ///   not registered, or the store fails; nothing has changed then.
    public func override(
        _ setting: IdentitySetting,
        with value: IdentitySetting.Value?,
        of identity: Identity
    ) throws(AccountRegistryError) {
        do throws(IdentitySettingsError) {
            try IdentitySettings.checkOverridable(setting)
            if let value { _ = try settings.overridden(by: [setting: value]) }
        } catch {
            throw AccountRegistryError(.invalidSetting, "\(identity) keeps its settings. \(error.message)")
        }
        if value != nil, settings.explanation(of: setting).source == .code {
            throw AccountRegistryError(
                .invalidSetting,
                "\(identity) keeps its settings. \(setting) is given in code, which counts before it. Take it out there."
            )
        }
        try changing { transaction in
            guard var record = try transaction.account(Self.resolved(identity, transaction)), record.isRegistered
            else { throw Self.notRegistered(identity) }
            var values = try record.overridesText.map { try Self.overrides(of: record.identity, $0) } ?? [:]
            values[setting] = value
            record.overridesText = values.isEmpty ? nil : IdentitySettingsFile.text(values)
            try transaction.put(record)
            let text = value == nil ? "\(setting) is the program's again" : "\(setting) is its own now"
            try note(record.identity, .settingOverridden, text, in: transaction)
        }
        tellEvents()
    }

    private static func overrides(
        of identity: Identity,
        _ text: String
    ) throws(IdentitySettingsError) -> [IdentitySetting: IdentitySetting.Value] {
        try IdentitySettingsFile(json: text.utf8, path: "overrides of \(identity)").values
    }
}
