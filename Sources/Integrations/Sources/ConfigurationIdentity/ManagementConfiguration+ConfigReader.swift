#if Configuration
public import Configuration
import Foundation
@_spi(Settings) public import MultiIdentityManagement

extension ManagementConfiguration {
    /// The configuration that swift-configuration's providers have: from JSON, YAML, arguments, reloading files.
    ///
    /// It counts as one of a file: what the program sets after that comes before it, and so does an account's own setting.
    ///
    /// - Parameter reader: The reader; the settings stand in its section `multiIdentity`.
    /// - Throws: ``ManagementError`` where a value is not one that its setting takes, and what the providers throw, as where one
    ///   has another type.
    public init(_ reader: ConfigReader) async throws {
        let section = reader.scoped(to: ConfigKey(Self.section))
        var members: [String] = []
        for setting in ManagementSetting.allCases {
            let key = ConfigKey(setting.rawValue)
            let value: (any Encodable)? =
                switch setting.kind {
                case .boolean: try await section.fetchBool(forKey: key)
                case .integer: try await section.fetchInt(forKey: key)
                case .number, .seconds, .limit: try await section.fetchDouble(forKey: key)
                case .mode, .text: try await section.fetchString(forKey: key)
                case .texts: try await section.fetchStringArray(forKey: key, isSecret: true)
                }
            guard let value else { continue }
            members.append("\"\(setting)\": \(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))")
        }
        let json = "{\"\(Self.section)\": {\(members.joined(separator: ", "))}}"
        try self.init(json: json.utf8, path: "the configuration")
    }
}
#endif
