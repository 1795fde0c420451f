import MultiIdentity
import MultiIdentityPolicy

extension AppConfiguration {
    /// The longest text that is read, in bytes.
    static let maximumByteCount = 1 << 20

    /// Reads a configuration from JSON; a text with any error is refused as a whole.
    ///
    /// ```json
    /// {"version": 1, "parts": [
    ///     {"audience": "targeted", "name": "pilot group", "values": {"theme": "dark", "uploads": 5}},
    ///     {"audience": "standard", "values": {"theme": "light"}}
    /// ]}
    /// ```
    ///
    /// - Parameter json: The text, in UTF-8, of at most 1 MiB.
    /// - Throws: ``ManagementError`` with the problem, its line and its keys.
    public init(json: some Collection<UInt8>) throws(ManagementError) {
        guard json.count <= Self.maximumByteCount else {
            throw ManagementError(
                .malformedText,
                "The text has \(json.count) bytes, but at most \(Self.maximumByteCount) are read. Check that it is the configuration."
            )
        }
        do { self.init(try Self.parts(JSONReader(json))) } catch {
            // Without its message, which quotes the text.
            let place = error.keyPath.isEmpty ? "line \(error.line)" : "line \(error.line), \(error.keyPath)"
            throw ManagementError(
                .malformedText,
                "The text is not a configuration: \(place): \(error.code). Correct it there."
            )
        }
    }

    private static func parts(_ text: JSONReader) throws(PolicyTextError) -> [Part] {
        let members = try text.members("version", "parts")
        guard let version = members["version"], let list = members["parts"] else {
            throw text.error(.missingKey, "The version or the parts are missing. Write both.")
        }
        guard version.value.kind == .number, try version.value.number() == "1" else {
            throw version.error(.unsupportedVersion, "This release reads version 1. Update this package or the text.")
        }
        var parts: [Part] = []
        try list.elements { (reader) throws(PolicyTextError) in parts.append(try Part(reader)) }
        return parts
    }
}

extension AppConfiguration.Part {
    fileprivate init(_ reader: JSONReader) throws(PolicyTextError) {
        let members = try reader.members("audience", "name", "values")
        guard let audience = members["audience"], let given = members["values"] else {
            throw reader.error(.missingKey, "The audience or the values are missing. Write both.")
        }
        var values: [String: AppConfigurationValue] = [:]
        try given.allMembers { (key, _, reader) throws(PolicyTextError) in
            // Two keys of different bytes can be one string.
            if values.updateValue(try AppConfigurationValue(reader), forKey: key) != nil {
                throw reader.error(
                    .duplicateKey,
                    "The key occurs twice, in different Unicode forms. Keep one of them."
                )
            }
        }
        self.init(
            values,
            for: try audience.word(["targeted": .targeted, "standard": .standard]),
            named: try members["name"]?.string() ?? ""
        )
    }
}

extension AppConfigurationValue {
    init(_ reader: JSONReader) throws(PolicyTextError) {
        switch reader.value.kind {
        case .string: self = .text(try reader.string())
        case .bool: self = .boolean(try reader.bool())
        case .number:
            let text = try reader.value.number()
            if let integer = Int64(text) {
                self = .integer(integer)
            } else if let number = Double(text), number.isFinite {
                self = .number(number)
            } else {
                throw reader.wrongType("a 64-bit number")
            }
        case .object, .array, .null: throw reader.wrongType("a string, a number, or true or false")
        }
    }
}
