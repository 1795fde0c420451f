internal import CSystemCalls
import MultiIdentity
import MultiIdentityPolicy

extension ManagementReport {
    /// Reads a report from JSON.
    ///
    /// - Parameter json: The result of ``json``, of at most 64 MiB.
    /// - Throws: ``ManagementError`` with the problem and its line.
    public init(json: some Collection<UInt8>) throws(ManagementError) {
        guard json.count <= Self.maximumByteCount else {
            throw ManagementError(.malformed, "The text has more than the \(Self.maximumByteCount) bytes of a report.")
        }
        do { sections = try Self.sections(JSONReader(json)) } catch {
            throw ManagementError(.malformed, "The text is not a report: line \(error.line): \(error.message)")
        }
    }

    private static func sections(_ text: JSONReader) throws(PolicyTextError) -> [Section] {
        let members = try text.members("version", "sections")
        guard let version = members["version"], let list = members["sections"] else {
            throw text.error(.missingKey, "The version or the sections are missing. Write both.")
        }
        guard version.value.kind == .number, try version.value.number() == "1" else {
            throw version.error(.unsupportedVersion, "This release reads version 1. Update this package or the text.")
        }
        var sections: [Section] = []
        try list.elements { (reader) throws(PolicyTextError) in
            let members = try reader.members("title", "rows")
            guard let title = members["title"], let list = members["rows"] else {
                throw reader.error(.missingKey, "The title or the rows are missing. Write both.")
            }
            var rows: [Row] = []
            try list.elements { (reader) throws(PolicyTextError) in
                let members = try reader.members("name", "value")
                guard let name = members["name"], let value = members["value"] else {
                    throw reader.error(.missingKey, "The name or the value is missing. Write both.")
                }
                rows.append(Row(try name.string(), try value.string()))
            }
            sections.append(Section(try title.string(), rows))
        }
        return sections
    }
}

extension ManagementError {
    static func system(_ call: String, _ path: String, _ code: CInt) -> Self {
        let reason = String(cString: strerror(code))
        return Self(
            .systemCall,
            "\(call) of \(path) failed: \(reason) (\(code)). Check that the path has at most 107 bytes, and that this user can access it."
        )
    }
}
