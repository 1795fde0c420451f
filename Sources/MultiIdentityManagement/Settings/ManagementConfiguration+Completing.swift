import MultiIdentity
import MultiIdentityPolicy

extension ManagementConfiguration {
    /// A text with all settings that have a default: those that it lacks are added to its section, and no other byte changes.
    ///
    /// What it does to its own result is nothing.
    ///
    /// - Parameters:
    ///   - json: The text; an empty one becomes a whole file.
    ///   - path: What messages are to call it.
    /// - Returns: The text, and the settings that it lacked.
    /// - Throws: ``ManagementConfigurationError`` where the text cannot be read.
    @_spi(Settings) public static func completed(
        _ json: some Collection<UInt8>,
        path: String
    ) throws(ManagementConfigurationError) -> (text: [UInt8], added: [ManagementSetting]) {
        let isEmpty = json.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let text = isEmpty ? Array("{\n}\n".utf8) : Array(json)
        let before = try Self(json: text, path: path)
        let added = ManagementSetting.allCases.filter { before.source(of: $0) == .standard && $0.standard != nil }
        if added.isEmpty { return (text, []) }
        let (section, _) = try section(of: text, path)
        var completed = text
        try reading(path) { () throws(PolicyTextError) in
            let whole = try JSONReader(text)
            let members = added.map { "\"\($0)\": \($0.standard ?? "")" }
            if let section {
                completed = try Self.adding(members, to: section.value)
            } else {
                let indentation = try Self.indentation(in: whole.value)
                let separator = indentation.map { "\n\($0)\($0)" } ?? ""
                let joined = members.map { separator + $0 }.joined(separator: indentation == nil ? ", " : ",")
                let end = indentation.map { "\n\($0)" } ?? ""
                completed = try Self.adding(["\"\(Self.section)\": {\(joined)\(end)}"], to: whole.value)
            }
        }
        // What stood there stands there, and what was added is what it was to be.
        let after = try Self(json: completed, path: path)
        let isWhole = ManagementSetting.allCases.allSatisfy { setting in
            setting.kind.text(of: after) == setting.kind.text(of: before)
                && after.source(of: setting) == (added.contains(setting) ? .file : before.source(of: setting))
        }
        guard isWhole else {
            throw ManagementConfigurationError(
                .malformedText,
                "\(path) cannot be completed. Add by hand what `configure check` names."
            )
        }
        return (completed, added)
    }

    /// The text around an object, with members behind its last one, as the others are set.
    private static func adding(_ members: [String], to object: JSONValue) throws(PolicyTextError) -> [UInt8] {
        var last: JSONValue?
        try JSONReader(at: object).allMembers { (_, _, reader) throws(PolicyTextError) in last = reader.value }
        let indentation = try indentation(in: object)
        let place = try last?.end() ?? object.start + 1
        let before = indentation.map { "\n\($0)" }
        let joined = members.map { (before ?? "") + $0 }.joined(separator: before == nil ? ", " : ",")
        let comma = last == nil ? "" : before == nil ? ", " : ","
        return Array(object.text[..<place]) + Array((comma + joined).utf8) + object.text[place...]
    }

    /// The space before each member of an object; `nil` where all stand on one line.
    private static func indentation(in object: JSONValue) throws(PolicyTextError) -> String? {
        var (start, end) = (object.start + 1, object.start + 1)
        while end < object.text.count, [0x20, 0x09, 0x0A, 0x0D].contains(object.text[end]) {
            end += 1
            if object.text[end - 1] == 0x0A { start = end }
        }
        guard object.text[object.start..<end].contains(0x0A) else { return nil }
        let space = String(decoding: object.text[start..<end], as: UTF8.self)
        if object.text[end] != UInt8(ascii: "}") { return space }
        // Nothing stands in it yet: two more than the bracket that closes it.
        return space + "  "
    }
}
