/// Reads one line in Common or Combined Log Format, from left to right.
struct LogLineParser {
    private var rest: ArraySlice<UInt8>

    static func request(in line: [UInt8]) throws(MalformedLine) -> LoggedRequest {
        if line.isEmpty { throw .blank }
        if line.contains(where: { $0 < 0x20 || $0 == 0x7F }) { throw .controlByte }
        _ = try text(line[...])
        var parser = LogLineParser(rest: line[...])
        guard parser.takeWord() != nil else { throw .missingHost }
        guard parser.rest.first != UInt8(ascii: "["), let identity = parser.takeWord() else { throw .missingIdentity }
        let user = try parser.takeUser(behind: identity)
        return LoggedRequest(user: user, path: try parser.takePath())
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws(MalformedLine) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    /// Takes a word and the space after it; takes nothing when one of them is missing.
    private mutating func takeWord() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: UInt8(ascii: " ")), end > rest.startIndex else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }

    /// Takes the user, who may have spaces and brackets in their name, and the moment after it.
    private mutating func takeUser(behind identity: ArraySlice<UInt8>) throws(MalformedLine) -> String? {
        let moment = try startOfMoment()
        let field = rest[..<max(moment - 1, rest.startIndex)]
        rest = rest[(moment + Self.moment.count)...]
        if field.isEmpty { throw .missingUser }
        if field.elementsEqual("-".utf8) { return nil }
        // With words in front of the host, everybody would seem to be called "192.0.2.1 - somebody".
        let words = field.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        let hasHyphen = words.contains { $0.elementsEqual("-".utf8) }
        if words.count > 1, hasHyphen || !identity.elementsEqual("-".utf8) { throw .extraField }
        // Apache writes an empty name as a pair of quotes.
        if field.elementsEqual(#""""#.utf8) { return nil }
        return try Self.text(Self.decoded(field))
    }

    /// A name may hold what looks like a moment, but not the quote that follows the real one: servers escape that.
    private func startOfMoment() throws(MalformedLine) -> Int {
        var hasMoment = false
        for index in rest.indices where rest[index] == UInt8(ascii: "[") {
            guard index == rest.startIndex || rest[index - 1] == UInt8(ascii: " ") else { continue }
            guard Self.isMoment(rest[index...].prefix(Self.moment.count)) else { continue }
            hasMoment = true
            if rest[(index + Self.moment.count)...].starts(with: #" ""#.utf8) { return index }
        }
        throw hasMoment ? .missingRequest : .missingMoment
    }

    /// The shape of a moment: `0` stands for a digit, `A` and `a` for letters, `+` for a sign, all else for itself.
    private static let moment = Array("[00/Aaa/0000:00:00:00 +0000]".utf8)

    private static func isMoment(_ text: ArraySlice<UInt8>) -> Bool {
        text.count == moment.count
            && zip(text, moment).allSatisfy { byte, pattern in
                switch pattern {
                case UInt8(ascii: "0"): isDigit(byte)
                case UInt8(ascii: "A"): (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                case UInt8(ascii: "a"): (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                case UInt8(ascii: "+"): "+-".utf8.contains(byte)
                default: byte == pattern
                }
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Takes the request: to the quote before status and size, since a quote may stand unescaped in it.
    private mutating func takePath() throws(MalformedLine) -> String? {
        rest = rest.dropFirst(2)
        var end = rest.startIndex
        while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") || !Self.isStatusAndSize(rest[(end + 1)...]) {
            end += rest[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < rest.endIndex else { throw .missingRequest }
        return try Self.path(of: Self.decoded(rest[..<end]))
    }

    private static func isStatusAndSize(_ text: ArraySlice<UInt8>) -> Bool {
        let words = text.split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count > 2, words[0].isEmpty, words[1].count == 3, words[1].allSatisfy(isDigit) else { return false }
        return words[2].elementsEqual("-".utf8) || !words[2].isEmpty && words[2].allSatisfy(isDigit)
    }

    /// The path of a request after decoding; `nil` where that is no request, or has no path.
    private static func path(of request: ArraySlice<UInt8>) throws(MalformedLine) -> String? {
        let isMethod = { (byte: UInt8) in "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_".utf8.contains(byte) }
        guard let methodEnd = request.firstIndex(of: UInt8(ascii: " ")), methodEnd > request.startIndex,
            request[..<methodEnd].allSatisfy(isMethod)
        else { return nil }
        var target = request[(methodEnd + 1)...]
        if let end = target.lastIndex(of: UInt8(ascii: " ")), target[(end + 1)...].starts(with: "HTTP/".utf8) {
            target = target[..<end]
        } else if target.contains(UInt8(ascii: " ")) {
            return nil  // only HTTP/0.9 has no version, and it knows only plain paths
        }
        var path = try text(target)[...]
        if let address = path.firstRange(of: "://"), !path.hasPrefix("/") {
            // A proxy's client sends the whole address.
            path = path[address.upperBound...].drop { !"/?#".contains($0) }
        } else if !path.hasPrefix("/") {
            return nil
        }
        path = path.prefix { !"?#".contains($0) }
        return path.isEmpty ? "/" : String(path)
    }

    /// Decodes the escapes with which servers write untrusted bytes.
    ///
    /// nginx writes `\xHH` only; Apache also writes `\"`, `\\` and the C escapes of white space. Guessing at others would turn
    /// `CONTOSO\bob` into another user.
    private static func decoded(_ text: ArraySlice<UInt8>) throws(MalformedLine) -> ArraySlice<UInt8> {
        var (decoded, rest) = ([UInt8](), text)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                decoded.append(byte)
                continue
            }
            guard let letter = rest.popFirst() else { throw .unknownEscape }
            if let escaped = escapes[letter] {
                decoded.append(escaped)
            } else {
                let digits = rest.prefix(2)
                guard letter == UInt8(ascii: "x"), digits.count == 2, digits.first != UInt8(ascii: "+"),
                    let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                else { throw .unknownEscape }
                decoded.append(value)
                rest = rest.dropFirst(2)
            }
        }
        return decoded[...]
    }

    private static let escapes = [UInt8: UInt8](
        uniqueKeysWithValues: zip(#""\btnvfr"#.utf8, "\"\\\u{8}\t\n\u{B}\u{C}\r".utf8)
    )
}
