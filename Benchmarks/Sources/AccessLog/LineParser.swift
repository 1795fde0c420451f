/// Reads one line in Common or Combined Log Format, from left to right.
struct LineParser {
    private typealias Reason = MalformedLine.Reason

    private var rest: ArraySlice<UInt8>

    static func entry(from line: [UInt8], lineNumber: Int) throws(MalformedLine.Reason) -> AccessLogEntry {
        try checkBytes(of: line)
        var parser = LineParser(rest: line[...])
        let user = try parser.takeUser(behind: parser.takeIdentity())
        let request = try parser.takeRequest()
        let status = try parser.takeStatus()
        let bytes = try parser.takeSize()
        try parser.checkTail()
        return AccessLogEntry(
            lineNumber: lineNumber,
            user: user,
            method: request.method,
            path: request.path,
            status: status,
            bytes: bytes
        )
    }

    private static func checkBytes(of line: [UInt8]) throws(Reason) {
        if line.isEmpty { throw .blank }
        if let offset = line.firstIndex(where: Ascii.isControl) {
            throw .controlByte(line[offset], offset: offset)
        }
        if String(validating: line, as: UTF8.self) == nil {
            throw .invalidUTF8(offset: lengthOfUTF8(in: line))
        }
    }

    /// Counts the bytes before the first that is not UTF-8.
    private static func lengthOfUTF8(in line: [UInt8]) -> Int {
        var parser = UTF8.ForwardParser()
        var bytes = line.makeIterator()
        var length = 0
        while case .valid(let scalar) = parser.parseScalar(from: &bytes) {
            length += scalar.count
        }
        return length
    }

    /// Takes the host and the name behind it.
    private mutating func takeIdentity() throws(Reason) -> ArraySlice<UInt8> {
        guard takeWord() != nil else { throw .missingHost }
        guard rest.first != Ascii.openBracket, let identity = takeWord() else { throw .missingIdentity }
        return identity
    }

    /// Takes a word and the space after it; takes nothing when one of them is missing.
    private mutating func takeWord() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: Ascii.space), end > rest.startIndex else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }

    /// Takes the user, who may have spaces and brackets in their name, and the moment after it.
    private mutating func takeUser(behind identity: ArraySlice<UInt8>) throws(Reason) -> String? {
        let moment = try startOfMoment()
        let field = rest[..<max(moment - 1, rest.startIndex)]
        rest = rest[(moment + Timestamp.length)...]
        if field.isEmpty { throw .missingUser }
        if field.elementsEqual([Ascii.hyphen]) { return nil }
        // With words in front of the host, everybody would seem to be called "192.0.2.1 - somebody".
        let words = field.split(separator: Ascii.space, omittingEmptySubsequences: false)
        let hasHyphen = words.contains { $0.elementsEqual([Ascii.hyphen]) }
        if words.count > 1, hasHyphen || !identity.elementsEqual([Ascii.hyphen]) { throw .extraField }
        // Apache writes an empty name as a pair of quotes.
        if field.elementsEqual([Ascii.quote, Ascii.quote]) { return nil }
        let decoded = try LogEscapes.decoded(field, of: .user)
        guard let user = String(validating: decoded, as: UTF8.self) else { throw .decodedTextNotUTF8(.user) }
        return user
    }

    /// A name may hold what looks like a moment, but not the quote that follows the real one: servers escape that.
    private func startOfMoment() throws(Reason) -> Int {
        var hasBracket = false
        var hasMoment = false
        for index in rest.indices where rest[index] == Ascii.openBracket {
            guard index == rest.startIndex || rest[index - 1] == Ascii.space else { continue }
            hasBracket = true
            guard Timestamp.matches(rest[index...].prefix(Timestamp.length)) else { continue }
            hasMoment = true
            if rest[(index + Timestamp.length)...].starts(with: [Ascii.space, Ascii.quote]) { return index }
        }
        throw hasMoment ? .missingRequest : hasBracket ? .invalidTimestamp : .missingTimestamp
    }

    private mutating func takeRequest() throws(Reason) -> RequestLine {
        rest = rest.dropFirst(2)
        // A quote may stand unescaped in the request; the one before status and size ends it.
        let quotes = unescapedQuotes()
        guard let end = quotes.first(where: { isStatusAndSize(rest[($0 + 1)...]) }) ?? quotes.first else {
            throw .unterminatedRequest
        }
        let decoded = try LogEscapes.decoded(rest[..<end], of: .request)
        rest = rest[(end + 1)...]
        return try RequestLine.parsed(from: decoded)
    }

    private func unescapedQuotes() -> [Int] {
        var found: [Int] = []
        var index = rest.startIndex
        while index < rest.endIndex {
            if rest[index] == Ascii.quote { found.append(index) }
            index += rest[index] == Ascii.backslash ? 2 : 1
        }
        return found
    }

    private func isStatusAndSize(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == Ascii.space else { return false }
        let afterStatus = text.dropFirst().drop { Ascii.isDigit($0) || $0 == Ascii.hyphen }
        guard afterStatus.startIndex > text.startIndex + 1, afterStatus.first == Ascii.space else { return false }
        let afterSize = afterStatus.dropFirst().drop { Ascii.isDigit($0) || $0 == Ascii.hyphen }
        guard afterSize.startIndex > afterStatus.startIndex + 1 else { return false }
        return afterSize.isEmpty || afterSize.first == Ascii.space
    }

    private mutating func takeStatus() throws(Reason) -> Int {
        let text = takeSpacedWord()
        guard text.count == 3, let status = Self.number(text), 100...599 ~= status else {
            throw .invalidStatus(Self.excerpt(text))
        }
        return status
    }

    private mutating func takeSize() throws(Reason) -> Int? {
        let text = takeSpacedWord()
        if text.elementsEqual([Ascii.hyphen]) { return nil }
        guard let size = Self.number(text) else { throw .invalidSize(Self.excerpt(text)) }
        return size
    }

    /// Takes a space and the word after it; an empty word when either is missing.
    private mutating func takeSpacedWord() -> ArraySlice<UInt8> {
        guard rest.first == Ascii.space else { return [] }
        let word = rest.dropFirst().prefix { $0 != Ascii.space }
        rest = rest[word.endIndex...]
        return word
    }

    /// Takes digits only, where `Int` alone would take a sign too.
    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        guard text.allSatisfy(Ascii.isDigit) else { return nil }
        return Int(String(decoding: text, as: UTF8.self))
    }

    private static func excerpt(_ text: ArraySlice<UInt8>) -> String {
        String(String(decoding: text, as: UTF8.self).prefix(24))
    }

    /// Common ends here; Combined adds two quoted fields, and some servers add more of their own after those.
    private mutating func checkTail() throws(Reason) {
        if rest.isEmpty { return }
        guard rest.starts(with: [Ascii.space, Ascii.quote]) else { throw .invalidTail }
        rest = rest.dropFirst(2)
        let quotes = unescapedQuotes()
        guard let referer = quotes.first(where: { rest[($0 + 1)...].starts(with: [Ascii.space, Ascii.quote]) }) else {
            throw .invalidTail
        }
        let agentQuotes = quotes.drop { $0 <= referer + 2 }
        guard agentQuotes.contains(where: { (rest[($0 + 1)...].first ?? Ascii.space) == Ascii.space }) else {
            throw .invalidTail
        }
    }
}
