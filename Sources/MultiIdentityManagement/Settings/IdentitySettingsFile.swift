import MultiIdentity
import MultiIdentityPolicy

/// The settings of a file: a section of a text of JSON; its other members are the program's.
///
/// ```json
/// {"multiIdentity": {"policyRequired": true, "authority": "https://login.contoso.com"}, "port": 8080}
/// ```
public struct IdentitySettingsFile: Sendable {
    /// The path, as it was given, or what else messages are to call it.
    public let path: String
    /// The settings that it has.
    public let values: [IdentitySetting: IdentitySetting.Value]
    /// The keys of the section that mean nothing, in words, with the nearest that do.
    public let warnings: [String]

    private let lines: [IdentitySetting: Int]

    /// Reads a file.
    ///
    /// - Parameter path: The file's path; at most 8 MiB are read, and nothing that anybody may write.
    /// - Throws: ``IdentitySettingsError`` that names the file, the line and the key.
    public init(_ path: String) throws(IdentitySettingsError) {
        let bytes: [UInt8]
        do throws(PolicyFileError) { bytes = try PolicyFileReading(path: path).bytes } catch {
            throw IdentitySettingsError(.unreadableFile, "\(path): \(error.message)")
        }
        try self.init(json: bytes, path: path)
    }

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - json: The text.
    ///   - path: What messages are to call it.
    /// - Throws: ``IdentitySettingsError`` that names the line and the key.
    public init(json: some Collection<UInt8>, path: String) throws(IdentitySettingsError) {
        var values: [IdentitySetting: IdentitySetting.Value] = [:]
        var lines: [IdentitySetting: Int] = [:]
        var warnings: [String] = []
        if let section = try Self.section(of: json, path) {
            try Self.reading(path) { () throws(PolicyTextError) in
                try section.allMembers { (key, line, reader) throws(PolicyTextError) in
                    guard let setting = IdentitySetting.named(key) else {
                        let near = NearestWord.nearest(to: key, among: IdentitySetting.all.map(\.name))
                        return warnings.append("\(path): line \(line): \(Self.unknown(key, near: near))")
                    }
                    guard let value = setting.kind.taking(try IdentitySetting.Value(reader)) else {
                        throw reader.wrongType(setting.kind.words)
                    }
                    values[setting] = value
                    lines[setting] = line
                }
            }
        }
        self.path = path
        self.values = values
        self.lines = lines
        self.warnings = warnings
    }

    /// The place of a setting in the file, for messages.
    func place(of setting: IdentitySetting) -> String {
        "\(path)\(lines[setting].map { ": line \($0)" } ?? "")"
    }

    static func unknown(_ key: String, near: String?) -> String {
        let advice = near.map { "Did you mean \($0)?" } ?? "Take it out."
        return "\(EscapedText(key).quoted) is no setting and does nothing. \(advice)"
    }

    /// The section of a text; `nil` where it has none.
    static func section(
        of json: some Collection<UInt8>,
        _ path: String
    ) throws(IdentitySettingsError) -> JSONReader? {
        guard json.count <= PolicyFile.maximumSize else {
            throw IdentitySettingsError(
                .malformedText,
                "\(path) has \(json.count) bytes, and at most \(PolicyFile.maximumSize) are read. Name the file of settings."
            )
        }
        let name = IdentitySettings.section
        var (section, miss) = (JSONReader?.none, (key: String, line: Int)?.none)
        try reading(path) { () throws(PolicyTextError) in
            try JSONReader(json).allMembers { (key, line, reader) throws(PolicyTextError) in
                if key == name {
                    section = reader
                } else if NearestWord.nearest(to: key, among: [name]) != nil {
                    miss = (key, line)
                }
            }
        }
        guard let miss else { return section }
        throw IdentitySettingsError(
            .unknownSection,
            "\(path): line \(miss.line): \(EscapedText(miss.key).quoted) is no section of settings, and nothing in it would count. Did you mean \(name)?"
        )
    }

    /// Runs `body`; its error is said without what stands in the text.
    static func reading(_ path: String, _ body: () throws(PolicyTextError) -> Void) throws(IdentitySettingsError) {
        do throws(PolicyTextError) { try body() } catch {
            let place = "\(path): line \(error.line)" + (error.keyPath.isEmpty ? "" : ", \(error.keyPath)")
            guard error.code == .wrongType else {
                throw IdentitySettingsError(.malformedText, "\(place): \(error.code). Mend the JSON there.")
            }
            throw IdentitySettingsError(.wrongValue, "\(place): \(error.message)")
        }
    }
}

extension IdentitySettingsFile {
    /// A text that has these settings.
    static func text(_ values: [IdentitySetting: IdentitySetting.Value]) -> String {
        let members = values.map { "\"\($0.key)\": \($0.value)" }.sorted().joined(separator: ", ")
        return "{\"\(IdentitySettings.section)\": {\(members)}}"
    }
}
