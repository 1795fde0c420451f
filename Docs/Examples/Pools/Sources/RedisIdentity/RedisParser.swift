/// Reads answers from bytes as they come; whatever those are, it ends with an answer, an error, or the wish for more.
struct RedisParser {
    /// A message that the server sends unasked, which answers nothing.
    enum Message: Hashable {
        case answer(RedisValue)
        case push
    }

    private var bytes: [UInt8] = []
    private var start = 0

    /// Redis's own bounds for a string and for how deep answers nest, and one for how many there are in one.
    private static let (longest, deepest, most, longestLine) = (512 << 20, 16, 1 << 20, 64 << 10)

    mutating func append(_ chunk: some Collection<UInt8>) { bytes.append(contentsOf: chunk) }

    /// The next message, once it is there as a whole.
    mutating func next() throws(RedisError) -> Message? {
        var place = start
        guard let message = try message(at: &place) else { return nil }
        start = place
        if start * 2 >= bytes.count {
            bytes.removeSubrange(..<start)
            start = 0
        }
        return message
    }

    private func message(at place: inout Int) throws(RedisError) -> Message? {
        let isPush = place < bytes.count && bytes[place] == UInt8(ascii: ">")
        guard let value = try value(at: &place, depth: 0) else { return nil }
        return isPush ? .push : .answer(value)
    }

    private func value(at place: inout Int, depth: Int) throws(RedisError) -> RedisValue? {
        if depth > Self.deepest { throw .malformed("an answer that nests deeper than \(Self.deepest)") }
        guard place < bytes.count else { return nil }
        let kind = bytes[place]
        place += 1
        guard let line = try line(at: &place) else { return nil }
        switch kind {
        case UInt8(ascii: "+"): return .word(line)
        case UInt8(ascii: "-"): return .error(line)
        case UInt8(ascii: ":"): return .integer(try integer(line))
        case UInt8(ascii: ","), UInt8(ascii: "("): return .number(line)
        case UInt8(ascii: "_"): return .nothing
        case UInt8(ascii: "#"):
            guard line == "t" || line == "f" else { throw .malformed("#\(line)") }
            return .boolean(line == "t")
        case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "="):
            guard let length = try count(line, atMost: Self.longest) else { return .nothing }
            guard let bytes = try string(of: length, at: &place) else { return nil }
            return kind == UInt8(ascii: "!") ? .error(String(decoding: bytes, as: UTF8.self)) : .bytes(bytes)
        case UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: ">"), UInt8(ascii: "%"):
            guard let count = try count(line, atMost: Self.most) else { return .nothing }
            var values: [RedisValue] = []
            for _ in 0..<(kind == UInt8(ascii: "%") ? 2 * count : count) {
                guard let value = try value(at: &place, depth: depth + 1) else { return nil }
                values.append(value)
            }
            return .several(values)
        default: throw .malformed("a line that begins with byte \(kind)")
        }
    }

    private func line(at place: inout Int) throws(RedisError) -> String? {
        guard let end = bytes[place...].prefix(Self.longestLine).firstIndex(of: UInt8(ascii: "\r")) else {
            if bytes.count - place >= Self.longestLine {
                throw .malformed("a line longer than \(Self.longestLine) bytes")
            }
            return nil
        }
        guard end + 1 < bytes.count else { return nil }
        guard bytes[end + 1] == UInt8(ascii: "\n") else { throw .malformed("a line that does not end") }
        defer { place = end + 2 }
        return String(decoding: bytes[place..<end], as: UTF8.self)
    }

    private func string(of length: Int, at place: inout Int) throws(RedisError) -> [UInt8]? {
        let end = place + length
        guard end + 2 <= bytes.count else { return nil }
        guard bytes[end] == UInt8(ascii: "\r"), bytes[end + 1] == UInt8(ascii: "\n") else {
            throw .malformed("a string that is longer than it says")
        }
        defer { place = end + 2 }
        return Array(bytes[place..<end])
    }

    private func integer(_ line: String) throws(RedisError) -> Int64 {
        guard let integer = Int64(line) else { throw .malformed(":\(line.prefix(40))") }
        return integer
    }

    /// A length or a count; `nil` for -1, which is nothing.
    private func count(_ line: String, atMost limit: Int) throws(RedisError) -> Int? {
        guard let count = Int(line), count >= -1, count <= limit else {
            throw .malformed("a length of \(line.prefix(40))")
        }
        return count < 0 ? nil : count
    }
}
