/// Bytes as two hexadecimal digits each.
package enum Hexadecimal {
    private static let small = Array("0123456789abcdef".utf8)
    private static let large = Array("0123456789ABCDEF".utf8)

    /// Appends the two digits of a byte.
    package static func append(_ byte: UInt8, to text: inout [UInt8], areLarge: Bool = false) {
        let digits = areLarge ? large : small
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 0xF)])
    }

    package static func text(of bytes: some Sequence<UInt8>, areLarge: Bool = false) -> String {
        var text: [UInt8] = []
        for byte in bytes { append(byte, to: &text, areLarge: areLarge) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the value of a digit, upper or lower case.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Returns the bytes that pairs of digits encode; `nil` if a character is no digit, or one is left over.
    package static func bytes(of digits: [UInt8]) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { byte(digits[$0], digits[$0 + 1]) }
        return bytes.count * 2 == digits.count ? bytes : nil
    }

    /// Returns the byte that two digits encode.
    package static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = value(of: high), let low = value(of: low) else { return nil }
        return high << 4 | low
    }
}
