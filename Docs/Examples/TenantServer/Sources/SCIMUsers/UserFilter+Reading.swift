import Foundation

extension UserFilter {
    /// Reads a filter of users, or of the values of an attribute.
    ///
    /// - Parameters:
    ///   - text: The filter: at most 2,048 bytes, 64 comparisons, and 16 levels.
    ///   - attributes: The attributes that there are; without any those of users.
    /// - Throws: ``SCIMError`` where it cannot be read, or names an attribute that there is not.
    init(_ text: String, of attributes: [SchemaAttribute]? = nil) throws(SCIMError) {
        guard text.utf8.count <= 2_048 else { throw FilterReader.problem }
        var reader = FilterReader(text, attributes)
        self = try reader.whole()
    }
}

/// Reads a filter from its beginning to its end.
private struct FilterReader {
    static let problem = SCIMError(
        .invalidFilter,
        "The filter cannot be read, is too long, or names an attribute that is not kept. Look at RFC 7644, 3.4.2.2."
    )

    private let bytes: [UInt8]
    private var position = 0
    private var comparisons = 0
    /// Those of the values, inside of brackets.
    private var members: [SchemaAttribute]?

    init(_ text: String, _ members: [SchemaAttribute]?) {
        bytes = Array(text.utf8)
        self.members = members
    }

    mutating func whole() throws(SCIMError) -> UserFilter {
        let filter = try either(0)
        skipSpace()
        guard position == bytes.count else { throw Self.problem }
        return filter
    }

    private mutating func either(_ level: Int) throws(SCIMError) -> UserFilter {
        var filter = try both(level)
        while take(word: "or") { filter = .either(filter, try both(level)) }
        return filter
    }

    private mutating func both(_ level: Int) throws(SCIMError) -> UserFilter {
        var filter = try one(level)
        while take(word: "and") { filter = .both(filter, try one(level)) }
        return filter
    }

    private mutating func one(_ level: Int) throws(SCIMError) -> UserFilter {
        guard level < 16 else { throw Self.problem }
        if take(word: "not") {
            guard take("(") else { throw Self.problem }
            return .not(try inner(until: ")", level))
        }
        if take("(") { return try inner(until: ")", level) }
        return try comparison(level)
    }

    private mutating func inner(until end: Character, _ level: Int) throws(SCIMError) -> UserFilter {
        let filter = try either(level + 1)
        guard take(end) else { throw Self.problem }
        return filter
    }

    private mutating func comparison(_ level: Int) throws(SCIMError) -> UserFilter {
        comparisons += 1
        guard comparisons <= 64, let path = path(word()) else { throw Self.problem }
        if members == nil, path.count == 1, path[0].isMultivalued, take("[") {
            members = path[0].members
            let filter = try inner(until: "]", level)
            members = nil
            return .has(path[0], filter)
        }
        let name = word().lowercased()
        if name == "pr" { return .isPresent(path) }
        guard let comparison = UserFilter.Comparison(rawValue: name), let value = value() else { throw Self.problem }
        return try compares(path, comparison, value)
    }

    /// Without a member, values are compared by the one that is called `value`.
    private func compares(
        _ path: [SchemaAttribute],
        _ comparison: UserFilter.Comparison,
        _ value: AttributeValue
    ) throws(SCIMError) -> UserFilter {
        var path = path
        if let last = path.last, let member = SchemaAttribute.find("value", in: last.members) { path.append(member) }
        switch (path.last?.kind, value) {
        case (.text, .text): break
        case (.boolean, _) where value.boolean != nil && (comparison == .eq || comparison == .ne): break
        default: throw Self.problem
        }
        return .compares(path, comparison, value)
    }

    private func path(_ name: String) -> [SchemaAttribute]? {
        if let members { return SchemaAttribute.find(name, in: members).map { [$0] } }
        return AttributePath.named(name).map { [$0.attribute] + ($0.member.map { [$0] } ?? []) }
    }

    /// A name or an operator: letters, digits, and what stands in the names of schemas.
    private mutating func word() -> String {
        skipSpace()
        let start = position
        while position < bytes.count, Self.isPartOfWord(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "_"),
            UInt8(ascii: "-"), UInt8(ascii: "$"):
            true
        default: false
        }
    }

    /// A text of JSON, true or false.
    private mutating func value() -> AttributeValue? {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
            switch word() {
            case "true": return true
            case "false": return false
            default: return nil
            }
        }
        let start = position
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard position < bytes.count else { return nil }
        position += 1
        let list = Data("[".utf8) + bytes[start..<position] + Data("]".utf8)
        guard let texts = try? JSONDecoder().decode([String].self, from: list), texts.count == 1 else { return nil }
        return .text(texts[0])
    }

    private mutating func take(_ sign: Character) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == sign.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func take(word expected: String) -> Bool {
        let before = position
        if word().lowercased() == expected { return true }
        position = before
        return false
    }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
    }
}
