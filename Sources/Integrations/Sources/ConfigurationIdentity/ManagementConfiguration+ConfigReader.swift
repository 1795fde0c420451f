#if Configuration
public import Configuration
import Foundation
@_spi(Settings) public import MultiIdentityManagement

extension ManagementConfiguration {
    /// Reads the configuration from swift-configuration's providers: JSON, YAML, arguments, reloading files.
    ///
    /// It has the precedence of a file: the program's settings and an account's own settings override it.
    ///
    /// - Parameter reader: The reader; the settings are in its section `multiIdentity`.
    /// - Throws: ``ManagementError`` if a setting does not accept its value; or the providers' errors, such as for a value
    ///   of another type.
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
