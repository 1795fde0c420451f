import Foundation

/// A value of JSON, as attributes have it.
enum AttributeValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case text(String)
    case list([AttributeValue])
    case object([String: AttributeValue])

    /// Reads a body in UTF-8, which nests little.
    static func read(_ body: Data) throws(SCIMError) -> AttributeValue {
        // Before it is read: what reads it calls itself for each level.
        guard isUTF8(body), isFlat(body), let value = try? JSONDecoder().decode(AttributeValue.self, from: body) else {
            throw SCIMError(.invalidSyntax, "The body is no JSON in UTF-8, or nests more than 16 levels.")
        }
        return value
    }

    /// Returns false for UTF-16 and UTF-32, which Foundation takes as well: bytes are no characters there.
    private static func isUTF8(_ body: Data) -> Bool {
        !body.contains(0) && String(validating: body, as: UTF8.self) != nil
    }

    private static func isFlat(_ body: Data) -> Bool {
        var (depth, isText, isEscaped) = (0, false, false)
        for byte in body {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isText: isEscaped = true
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: "{") where !isText, UInt8(ascii: "[") where !isText:
                depth += 1
                if depth > 16 { return false }
            case UInt8(ascii: "}") where !isText, UInt8(ascii: "]") where !isText: depth -= 1
            default: break
            }
        }
        return true
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var object: [String: AttributeValue]? { if case .object(let object) = self { object } else { nil } }

    /// A Boolean, or one of the texts that a well-known directory sends in its place.
    var boolean: Bool? {
        switch self {
        case .boolean(let value): value
        case .text(let text) where text.lowercased() == "true": true
        case .text(let text) where text.lowercased() == "false": false
        default: nil
        }
    }

    /// The members under their names in lower case, since SCIM's names have no case; `nil` where two are one then.
    var members: [String: AttributeValue]? {
        guard let object else { return nil }
        let pairs = object.map { ($0.key.lowercased(), $0.value) }
        guard Set(pairs.map(\.0)).count == pairs.count else { return nil }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}

extension AttributeValue: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([AttributeValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: AttributeValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .number(let value):
            // A whole number as one: 200, and not 200.0.
            if let whole = Int64(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .text(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(arrayLiteral elements: AttributeValue...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, AttributeValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
