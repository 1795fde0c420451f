import MultiIdentity

/// Reads JSON (RFC 8259) strictly, and knows the line of each value.
///
/// Foundation's decoder reports no line, and silently keeps one of two members with the same key: a policy could get
/// lost that way.
struct JSONParser {
    /// The greatest depth of arrays and objects in one another; a set of policies needs six.
    static let maximumDepth = 32

    private let text: [UInt8]
    private var index: Int
    private var line: Int
    private var depth = 0
    /// Indicates whether this is the first pass over the text, which checks all of it.
    private let isFirst: Bool

    /// Checks a whole text, and returns its value, which is read from the text on demand.
    static func check(_ text: [UInt8]) throws(PolicyTextError) -> JSONValue {
        // A byte order mark, as some editors leave one.
        let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var parser = JSONParser(text: text, index: start, line: 1, isFirst: true)
        parser.skipSpace()
        let value = parser.here
        try parser.skip()
        parser.skipSpace()
        if parser.next != nil { throw parser.unexpected("the end of the text") }
        return value
    }

    private init(text: [UInt8], index: Int, line: Int, isFirst: Bool) {
        self.text = text
        self.index = index
        self.line = line
        self.isFirst = isFirst
    }

    /// Reads a value of a text that was checked.
    init(at value: JSONValue) {
        self.init(text: value.text, index: value.start, line: value.line, isFirst: false)
    }

    private var here: JSONValue { JSONValue(text: text, start: index, line: line) }

    private var next: UInt8? { index < text.count ? text[index] : nil }

    /// Skips a value.
    private mutating func skip() throws(PolicyTextError) {
        switch next {
        case UInt8(ascii: "{"): try isFirst ? checkMembers() : members { _, _, _ in }
        case UInt8(ascii: "["): try elements { _ in }
        case UInt8(ascii: "\""): _ = try string()
        case let byte? where byte == UInt8(ascii: "-") || isDigit(byte): _ = try number()
        default: try word()
        }
    }

    /// Visits the members of an object, which is next.
    mutating func members(
        _ visit: (_ key: String, _ line: Int, _ value: JSONValue) throws(PolicyTextError) -> Void
    ) throws(PolicyTextError) {
        try list(closing: "}") { (parser) throws(PolicyTextError) in
            let line = parser.line
            let key = try parser.key()
            try visit(key, line, parser.here)
            try parser.skip()
        }
    }

    /// Reads a key that is next, up to its value.
    private mutating func key() throws(PolicyTextError) -> String {
        guard next == UInt8(ascii: "\"") else { throw unexpected("a key in quotation marks") }
        let key = try string()
        skipSpace()
        guard take(":") else { throw unexpected("a colon after the key \(EscapedText(key).quoted)") }
        skipSpace()
        return key
    }

    /// Visits the elements of an array, which is next.
    mutating func elements(_ visit: (JSONValue) throws(PolicyTextError) -> Void) throws(PolicyTextError) {
        try list(closing: "]") { (parser) throws(PolicyTextError) in
            try visit(parser.here)
            try parser.skip()
        }
    }

    /// Reads the comma-separated items between a bracket, which is next, and the one that closes it.
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
                "Objects and arrays are nested more than \(Self.maximumDepth) deep here. Policies need six."
            )
        }
        index += 1
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

    private mutating func word() throws(PolicyTextError) {
        for word in ["true", "false", "null"] where text[index...].starts(with: word.utf8) {
            index += word.utf8.count
            return
        }
        throw unexpected("a value")
    }

    /// Reads a number, which is next.
    mutating func number() throws(PolicyTextError) -> String {
        let start = index
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return isFirst ? "" : String(decoding: text[start..<index], as: UTF8.self)
    }

    private mutating func digits() throws(PolicyTextError) {
        let start = index
        while let byte = next, isDigit(byte) { index += 1 }
        if index == start { throw unexpected("a digit") }
    }

    private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            if byte == 0x0A { line += 1 }
            index += 1
        }
    }

    private func unexpected(_ wanted: String) -> PolicyTextError {
        let left = text[index...].prefix(24)
        let found =
            left.isEmpty ? "the text ends" : "there is \(EscapedText(String(decoding: left, as: UTF8.self)).quoted)"
        return PolicyTextError(.notJSON, line: line, "Expected \(wanted), but \(found). Correct the JSON.")
    }
}

extension JSONParser {
    /// Skips an object, which is next, and checks that no key occurs twice in it.
    ///
    /// Each key takes one word: its hash, with its position in the lowest bits. A copy of each key would take many
    /// times its size in the text.
    private mutating func checkMembers() throws(PolicyTextError) {
        var keys: [UInt64] = []
        try list(closing: "}") { (parser) throws(PolicyTextError) in
            let start = parser.index
            let key = try parser.key()
            keys.append(UInt64(bitPattern: Int64(Array(key.utf8).hashValue)) << Self.placeBits | UInt64(start))
            try parser.skip()
        }
        keys.sort()
        // The first duplicate, if there are several.
        var found: (first: Int, second: Int)?
        var start = 0
        while start < keys.count {
            let hash = keys[start] >> Self.placeBits
            let end = keys[start...].firstIndex { $0 >> Self.placeBits != hash } ?? keys.count
            if let pair = try duplicate(in: keys[start..<end]), pair.second < found?.second ?? .max { found = pair }
            start = end
        }
        if let found {
            let key = try self.key(at: found.second)
            throw PolicyTextError(
                .duplicateKey,
                line: line(at: found.second),
                "The key \(EscapedText(key).quoted) is a duplicate of the one on line \(line(at: found.first)). Keep one of them."
            )
        }
    }

    /// The number of bits for a place in the text: of the longest ones, which are reports of 64 MiB.
    private static let placeBits: UInt64 = 27

    /// Returns the first two equal keys among keys with the same hash, which are few unless they are equal.
    private func duplicate(in keys: ArraySlice<UInt64>) throws(PolicyTextError) -> (first: Int, second: Int)? {
        guard keys.count > 1 else { return nil }
        // By bytes: as strings, canonically equivalent keys would be equal.
        var places: [[UInt8]: Int] = [:]
        for key in keys {
            let place = Int(key & (1 << Self.placeBits - 1))
            if let first = places.updateValue(place, forKey: Array(try self.key(at: place).utf8)) {
                return (first, place)
            }
        }
        return nil
    }

    private func key(at place: Int) throws(PolicyTextError) -> String {
        var parser = JSONParser(text: text, index: place, line: 1, isFirst: false)
        return try parser.string()
    }

    private func line(at place: Int) -> Int { text[..<place].count { $0 == 0x0A } + 1 }
}

extension JSONParser {
    /// Reads a string; its quotation mark is next.
    mutating func string() throws(PolicyTextError) -> String {
        index += 1
        var bytes: [UInt8] = []
        while true {
            let start = index
            while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { index += 1 }
            bytes += text[start..<index]
            if take("\"") { break }
            guard take("\\") else { throw unexpected("the quotation mark that ends the string") }
            bytes += Array(String(try escaped()).utf8)
        }
        guard let string = String(validating: bytes, as: UTF8.self) else {
            let shown = EscapedText(String(decoding: bytes, as: UTF8.self)).quoted
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
        // An unpaired surrogate is invalid.
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
        let digits = text[index...].prefix(4).compactMap { Hexadecimal.value(of: $0) }
        guard digits.count == 4 else { throw unexpected("four hexadecimal digits") }
        index += 4
        return digits.reduce(0) { $0 << 4 | UInt32($1) }
    }
}
