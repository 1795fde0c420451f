/// A JSON value and the line that it begins on, in a text that ``JSONParser/check(_:)`` has checked.
///
/// It is read on demand, and only its text is kept: a tree of small values takes thirty times the size of the text.
package struct JSONValue {
    package enum Kind { case object, array, string, number, bool, null }

    let text: [UInt8]
    /// The position of its first byte.
    let start: Int
    let line: Int

    package var kind: Kind {
        switch text[start] {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    /// The kind of value in words, for messages.
    var typeInWords: String {
        switch kind {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "a Boolean"
        case .null: "null"
        }
    }

    /// Indicates whether it is `true`.
    var isTrue: Bool { text[start] == UInt8(ascii: "t") }

    /// A string's text.
    func string() throws(PolicyTextError) -> String {
        var parser = JSONParser(at: self)
        return try parser.string()
    }

    /// A number as it was written.
    package func number() throws(PolicyTextError) -> String {
        var parser = JSONParser(at: self)
        return try parser.number()
    }

    /// Visits an object's members: the key, its line, and the value.
    func members(
        _ visit: (_ key: String, _ line: Int, _ value: JSONValue) throws(PolicyTextError) -> Void
    ) throws(PolicyTextError) {
        var parser = JSONParser(at: self)
        try parser.members(visit)
    }

    /// Visits an array's elements.
    func elements(_ visit: (JSONValue) throws(PolicyTextError) -> Void) throws(PolicyTextError) {
        var parser = JSONParser(at: self)
        try parser.elements(visit)
    }
}
