/// An independent percent-decoder, for comparison; Foundation's drops a byte order mark.
enum PlainPercentDecoding {
    static func bytes(of text: String) -> [UInt8]? {
        var pieces = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)[...]
        var bytes = Array(pieces.removeFirst())
        for piece in pieces {
            let digits = Array(piece.prefix(2))
            guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes += [byte] + piece.dropFirst(2)
        }
        return bytes
    }
}
