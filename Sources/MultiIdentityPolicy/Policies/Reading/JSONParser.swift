/// Reads JSON (RFC 8259) strictly, and knows the line of each value.
///
/// Of its own, since Foundation's decoder says no line, and keeps one of two members of the same key without a word: a
/// policy could get lost so.
struct JSONParser {
    /// How deep arrays and objects may stand in one another; a set of policies needs six.
    static let maximumDepth = 32

    private var bytes: ArraySlice<UInt8>
    private var line = 1
    private var depth = 0

    /// Reads a whole text.
    static func parse(_ bytes: [UInt8]) throws(PolicyTextError) -> JSONValue {
        var parser = JSONParser(bytes: bytes[...])
        // A byte order mark, as some editors leave one.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.bytes.removeFirst(3) }
        parser.skipSpace()
        let value = try parser.value()
        parser.skipSpace()
        if !parser.bytes.isEmpty { throw parser.unexpected("the end of the text") }
        return value
    }

    private init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    private mutating func value() throws(PolicyTextError) -> JSONValue {
        let line = line
        let content: JSONValue.Content =
            switch bytes.first {
            case UInt8(ascii: "{"): .object(try members())
            case UInt8(ascii: "["): .array(try elements())
            case UInt8(ascii: "\""): .string(try string())
            case let byte? where byte == UInt8(ascii: "-") || isDigit(byte): .number(try number())
            default: try word()
            }
        return JSONValue(content: content, line: line)
    }

    private mutating func members() throws(PolicyTextError) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        var lines: [[UInt8]: Int] = [:]
        try list(closing: "}") { (parser) throws(PolicyTextError) in
            guard parser.bytes.first == UInt8(ascii: "\"") else { throw parser.unexpected("a key in quotation marks") }
            let line = parser.line
            let key = try parser.string()
            parser.skipSpace()
            guard parser.take(":") else { throw parser.unexpected("a colon after the key \(Shown(key))") }
            parser.skipSpace()
            // By their bytes: as strings, two that Unicode counts as one would be.
            if let first = lines.updateValue(line, forKey: Array(key.utf8)) {
                throw PolicyTextError(
                    .duplicateKey,
                    line: line,
                    "The key \(Shown(key)) is there already, on line \(first). Keep one of them."
                )
            }
            members.append(JSONValue.Member(key: key, line: line, value: try parser.value()))
        }
        return members
    }

    private mutating func elements() throws(PolicyTextError) -> [JSONValue] {
        var elements: [JSONValue] = []
        try list(closing: "]") { (parser) throws(PolicyTextError) in elements.append(try parser.value()) }
        return elements
    }

    /// Reads what stands between a bracket, which is next, and the one that closes it, with commas between.
    private mutating func list(
        closing: Unicode.Scalar,
        _ element: (inout JSONParser) throws(PolicyTextError) -> Void
    ) throws(PolicyTextError) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw PolicyTextError(
                .tooDeep,
                line: line,
                "Objects and arrays stand more than \(Self.maximumDepth) deep in one another here. Policies need six."
            )
        }
        bytes.removeFirst()
        skipSpace()
        if take(closing) { return }
        while true {
            try element(&self)
            skipSpace()
            if take(closing) { return }
            guard take(",") else { throw unexpected("a comma or \(closing)") }
            skipSpace()
        }
    }

    private mutating func word() throws(PolicyTextError) -> JSONValue.Content {
        for (text, content) in [("true", .bool(true)), ("false", .bool(false)), ("null", .null)]
            as [(String, JSONValue.Content)]
        {
            if bytes.starts(with: text.utf8) {
                bytes.removeFirst(text.utf8.count)
                return content
            }
        }
        throw unexpected("a value")
    }

    private mutating func number() throws(PolicyTextError) -> String {
        let start = bytes
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return String(decoding: start.prefix(bytes.startIndex - start.startIndex), as: UTF8.self)
    }

    private mutating func digits() throws(PolicyTextError) {
        let digits = bytes.prefix(while: isDigit)
        if digits.isEmpty { throw unexpected("a digit") }
        bytes.removeFirst(digits.count)
    }

    private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: scalar) else { return false }
        bytes.removeFirst()
        return true
    }

    private mutating func skipSpace() {
        while let byte = bytes.first, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            if byte == 0x0A { line += 1 }
            bytes.removeFirst()
        }
    }

    private func unexpected(_ wanted: String) -> PolicyTextError {
        let found =
            bytes.isEmpty ? "the text ends" : "there is \(Shown(String(decoding: bytes.prefix(24), as: UTF8.self)))"
        return PolicyTextError(.notJSON, line: line, "Here \(wanted) should stand, and \(found). Mend the JSON.")
    }
}

extension JSONParser {
    /// Reads a string, whose quotation mark is next.
    private mutating func string() throws(PolicyTextError) -> String {
        bytes.removeFirst()
        var text: [UInt8] = []
        while true {
            let plain = bytes.prefix { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
            text += plain
            bytes.removeFirst(plain.count)
            if take("\"") { break }
            guard take("\\") else { throw unexpected("the quotation mark that ends the string") }
            text += Array(String(try escaped()).utf8)
        }
        guard let string = String(validating: text, as: UTF8.self) else {
            let shown = Shown(String(decoding: text, as: UTF8.self))
            throw PolicyTextError(.notJSON, line: line, "The bytes of \(shown) are not UTF-8. Save the text as UTF-8.")
        }
        return string
    }

    private mutating func escaped() throws(PolicyTextError) -> Unicode.Scalar {
        let plain: [(Unicode.Scalar, Unicode.Scalar)] = [
            ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{C}"), ("n", "\n"), ("r", "\r"),
            ("t", "\t"),
        ]
        for (letter, scalar) in plain where take(letter) { return scalar }
        guard take("u") else { throw unexpected("a letter that can follow a backslash") }
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // Half of a pair, which is nothing by itself.
        if first < 0xDC00, take("\\"), take("u") {
            let second = try hexadecimal()
            if 0xDC00...0xDFFF ~= second,
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            {
                return scalar
            }
        }
        throw unexpected("the second half of a surrogate pair")
    }

    private mutating func hexadecimal() throws(PolicyTextError) -> UInt32 {
        let digits = bytes.prefix(4)
        let isDigit = { (byte: UInt8) in Unicode.Scalar(byte).properties.isASCIIHexDigit }
        guard digits.count == 4, digits.allSatisfy(isDigit),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw unexpected("four hexadecimal digits") }
        bytes.removeFirst(4)
        return value
    }
}
