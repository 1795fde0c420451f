import MultiIdentity
package import MultiIdentityPolicy

extension IdentitySetting.Kind {
    /// The values in words, for messages.
    public var words: String {
        switch self {
        case .boolean: "true or false"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .text: "a text of one line, of 1 to 4096 bytes"
        case .texts: "a list of texts, of which none is empty"
        case .word(let words): "one of \(words.map { EscapedText($0).quoted }.joined(separator: ", "))"
        }
    }

    /// The same value as a setting of this kind has it; `nil` where it takes no such value.
    func taking(_ value: IdentitySetting.Value) -> IdentitySetting.Value? {
        switch (self, value) {
        case (.boolean, .boolean): value
        case (.integer(let range), .integer(let number)): range.contains(number) ? value : nil
        case (.number(let range), .integer(let number)): range.contains(Double(number)) ? .number(Double(number)) : nil
        case (.number(let range), .number(let number)): range.contains(number) ? value : nil
        case (.text, .text(let text)): Self.isLine(text) ? value : nil
        case (.texts, .texts(let texts)): texts.contains("") ? nil : value
        case (.word(let words), .text(let word)): words.contains(word) ? value : nil
        default: nil
        }
    }

    private static func isLine(_ text: String) -> Bool {
        1...4096 ~= text.utf8.count && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// The value of an environment variable's text; a list is one of JSON's, since a text of it can have any separator.
    func value(ofVariable text: String) -> IdentitySetting.Value? {
        let value: IdentitySetting.Value? =
            switch self {
            case .boolean: Bool(text).map { .boolean($0) }
            case .integer: Int(text).map { .integer($0) }
            case .number: Double(text).map { .number($0) }
            case .text, .word: .text(text)
            case .texts: (try? JSONReader(text.utf8)).flatMap { try? IdentitySetting.Value($0) }
            }
        return value.flatMap(taking)
    }
}

extension IdentitySetting.Value {
    /// The value of a text of JSON.
    package init(_ reader: JSONReader) throws(PolicyTextError) {
        if reader.value.kind == .array {
            var texts: [String] = []
            try reader.elements { (element) throws(PolicyTextError) in texts.append(try element.string()) }
            self = .texts(texts)
            return
        }
        switch try AppConfigurationValue(reader) {
        case .boolean(let value): self = .boolean(value)
        case .text(let text): self = .text(text)
        case .integer(let integer): self = .integer(Int(integer))
        case .number(let number): self = .number(number)
        }
    }
}

extension IdentitySetting.Value: CustomStringConvertible {
    /// The value as a file has it.
    public var description: String {
        switch self {
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): Int(exactly: value).map { "\($0)" } ?? "\(value)"
        case .text(let text): String(decoding: JSONText.quoted(text), as: UTF8.self)
        case .texts(let texts): "[\(texts.map { Self.text($0).description }.joined(separator: ", "))]"
        }
    }
}
