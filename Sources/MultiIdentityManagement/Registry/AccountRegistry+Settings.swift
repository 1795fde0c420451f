public import MultiIdentity

extension AccountRegistry {
    /// Returns the settings of an account: its own, and the program's where it has none.
    ///
    /// - Parameter identity: The account, or an alias of it; one that is not registered has none of its own.
    /// - Returns: The settings.
    /// - Throws: ``ManagementError`` if the store fails or contains settings that cannot be read.
    public func settings(of identity: Identity) throws(ManagementError) -> AccountSettings {
        try settings(with: account(identity)?.overridesText, of: identity)
    }

    /// Returns the program's settings, overridden by the account's own in its record.
    func settings(with text: String?, of identity: Identity) throws(ManagementError) -> AccountSettings {
        AccountSettings(configuration, overriddenBy: try ownSettings(text, of: identity))
    }

    /// Changes the account's own settings; they survive a restart, and are removed with the account.
    ///
    /// ```swift
    /// try registry.overrideSettings(of: ada) { $0.authority = "https://login.fabrikam.com" }
    /// ```
    ///
    /// Later requests use them. For each changed setting, an event with the status `settingOverridden` is stored.
    ///
    /// - Parameters:
    ///   - identity: The account, or an alias of it.
    ///   - change: Changes the settings, inside a transaction of the store; `nil` restores the program's value.
    /// - Throws: ``ManagementError`` if a value is invalid, if the program's code sets the same setting, if the account
    ///   is not registered, or if the store fails; nothing has changed.
    public func overrideSettings(
        of identity: Identity,
        _ change: (inout AccountSettings) -> Void
    ) throws(ManagementError) {
        try changing { transaction in
            guard var record = try transaction.account(Self.resolved(identity, transaction)), record.isRegistered
            else { throw Self.notRegistered(identity) }
            let before = try ownSettings(record.overridesText, of: record.identity)
            var own = before
            change(&own)
            record.overridesText = own.stored
            try transaction.put(record)
            for (setting, property, _) in AccountSettings.all where own[keyPath: property] != before[keyPath: property]
            {
                if let value = own[keyPath: property] { try check(value, of: setting, for: identity) }
                let whose = own[keyPath: property] == nil ? "the program's again" : "its own now"
                try note(record.identity, .settingOverridden, "\(setting) is \(whose)", in: transaction)
            }
        }
        notifyEvents()
    }

    private func ownSettings(_ text: String?, of identity: Identity) throws(ManagementError) -> AccountSettings {
        do { return try AccountSettings(stored: text, of: identity) } catch {
            throw ManagementError(.storeFailed, error.message)
        }
    }

    /// Throws if an account's own value would not take effect.
    private func check(
        _ value: String,
        of setting: ManagementSetting,
        for identity: Identity
    ) throws(ManagementError) {
        let isLine = ManagementSetting.isLine(value)
        if isLine, configuration.source(of: setting) != .code { return }
        let problem =
            isLine
            ? "is set in code, which overrides it. Remove it there."
            : "must be \(setting.kind.words)."
        throw ManagementError(.wrongValue, "\(identity) keeps its earlier settings. \(setting) \(problem)")
    }
}
