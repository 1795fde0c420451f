#if Configuration
public import Configuration
public import MultiIdentityManagement

extension IdentitySettings {
    /// The settings that swift-configuration's providers have, as values of the program: from JSON, YAML, arguments, reloading files.
    ///
    /// - Parameter reader: The reader; the settings stand in its section ``IdentitySettings/section``.
    /// - Throws: ``IdentitySettingsError`` where a value is not one that its setting takes, and what the providers throw, as where one has
    ///   another type.
    public init(_ reader: ConfigReader) async throws {
        let section = reader.scoped(to: ConfigKey(Self.section))
        var values: [IdentitySetting: IdentitySetting.Value] = [:]
        for setting in IdentitySetting.all { values[setting] = try await section.value(of: setting) }
        try self.init(code: values)
    }
}

extension ConfigReader {
    fileprivate func value(of setting: IdentitySetting) async throws -> IdentitySetting.Value? {
        let key = ConfigKey(setting.name)
        return switch setting.kind {
        case .boolean: try await fetchBool(forKey: key).map { .boolean($0) }
        case .integer: try await fetchInt(forKey: key).map { .integer($0) }
        case .number: try await fetchDouble(forKey: key).map { .number($0) }
        case .text, .word: try await fetchString(forKey: key, isSecret: setting.isSecret).map { .text($0) }
        case .texts: try await fetchStringArray(forKey: key, isSecret: setting.isSecret).map { .texts($0) }
        }
    }
}
#endif
