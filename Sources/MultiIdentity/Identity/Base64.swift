/// RFC 4648's base64, without padding.
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Returns bytes in the alphabet for URLs, as used by signatures.
    package static func urlText(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 4 / 3 + 1)
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(digits[Int(bits >> count & 63)])
            }
            bits &= 63
        }
        if count > 0 { text.append(digits[Int(bits << (6 - count) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of a text in the alphabet for URLs; `nil` if ``urlText(of:)`` would write them differently, so that
    /// there is one spelling.
    package static func bytes(ofURLText text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        return decode(text, inURLs: true) { bytes.append($0) } ? bytes : nil
    }

    /// Passes on the bytes of a text one by one, so that a secret never stays in memory that is not overwritten.
    ///
    /// - Parameters:
    ///   - text: The digits.
    ///   - inURLs: True to accept only the alphabet for URLs, false to accept the standard one too.
    ///   - take: Called with each byte.
    /// - Returns: Whether it is base64; if not, the bytes passed are meaningless.
    package static func decode(_ text: some Sequence<UInt8>, inURLs: Bool, _ take: (UInt8) -> Void) -> Bool {
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for digit in text {
            guard let value = value(of: digit, inURLs: inURLs) else { return false }
            (bits, count) = (bits << 6 | value, count + 6)
            if count >= 8 {
                count -= 8
                take(UInt8(truncatingIfNeeded: bits >> count))
                bits &= (1 << count) - 1
            }
        }
        // The remaining bits are less than a digit, and zero.
        return count < 6 && bits == 0
    }

    private static func value(of digit: UInt8, inURLs: Bool) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        case UInt8(ascii: "+") where !inURLs: 62
        case UInt8(ascii: "/") where !inURLs: 63
        default: nil
        }
    }
}
