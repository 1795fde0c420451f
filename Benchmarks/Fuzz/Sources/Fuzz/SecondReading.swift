import Foundation

@testable import MultiIdentityPolicy

/// JSON as Foundation reads it, compared with a strict reader.
enum SecondReading {
    /// The value of a text; `nil` if Foundation refuses it, or if it could nest too deep for Foundation's stack.
    static func value(_ text: [UInt8]) -> JSONValue? {
        let isFlat = text.count { $0 == 0x5B || $0 == 0x7B } < 200 || (try? JSONReader(text)) != nil
        guard isFlat else { return nil }
        return try? JSONDecoder().decode(JSONValue.self, from: Data(text))
    }

    /// Checks that the strict reader accepts a text exactly if Foundation does, with the same value.
    static func check(_ text: [UInt8]) {
        // Foundation also accepts UTF-16; both then contain the byte 0, which JSON in UTF-8 never has.
        guard String(validating: text, as: UTF8.self) != nil, !text.contains(0) else {
            return require((try? JSONReader(text)) == nil, "this is no text of JSON in UTF-8")
        }
        do throws(PolicyTextError) {
            let reader = try JSONReader(text)
            guard let value = try value(reader) else { return }
            let second = Self.value(text)
            require(second == value, "\(value) is \(String(describing: second)) for Foundation")
        } catch {
            require((1...(text.count { $0 == 0x0A } + 1)).contains(error.line), "there is no line \(error.line)")
            require(
                !error.description.unicodeScalars.contains { $0.properties.generalCategory == .control },
                "\(error)"
            )
            guard error.code == .notJSON, !hasLastComma(text), !hasControl(text) else { return }
            require(value(text) == nil, "Foundation reads it: \(error)")
        }
    }

    /// Returns whether it contains a byte that no string may have, which Foundation ignores in a value that it does not decode.
    private static func hasControl(_ text: [UInt8]) -> Bool {
        text.contains { $0 < 0x20 && !" \t\r\n".utf8.contains($0) }
    }

    /// Returns whether a comma precedes a bracket, which Foundation ignores.
    private static func hasLastComma(_ text: [UInt8]) -> Bool {
        let text = text.filter { !" \t\r\n".utf8.contains($0) }
        return zip(text, text.dropFirst()).contains { $0 == 0x2C && [0x5D, 0x7D].contains($1) }
    }

    /// The strict reader's value; `nil` if Foundation has no such value: a number beyond its types, or two keys that are
    /// equal strings in Unicode.
    static func value(_ reader: JSONReader) throws(PolicyTextError) -> JSONValue? {
        switch reader.value.kind {
        case .null: return .null
        case .bool: return .boolean(try reader.bool())
        case .string: return .text(try reader.string())
        case .number:
            let text = try reader.value.number()
            guard let number = Double(text), number.isFinite else { return nil }
            // 1e-999 is 0 as a Double, and Foundation refuses it, as it does 0e9.
            if number == 0, text.contains(where: { !["-", "0", "."].contains($0) }) { return nil }
            return .number(number)
        case .array:
            var elements: [JSONValue?] = []
            try reader.elements { (element) throws(PolicyTextError) in elements.append(try value(element)) }
            return elements.contains(nil) ? nil : .list(elements.compactMap { $0 })
        case .object:
            var members: [String: JSONValue] = [:]
            var isWhole = true
            try reader.allMembers { (key, _, member) throws(PolicyTextError) in
                guard let member = try value(member), members.updateValue(member, forKey: key) == nil else {
                    return isWhole = false
                }
            }
            return isWhole ? .object(members) : nil
        }
    }
}
