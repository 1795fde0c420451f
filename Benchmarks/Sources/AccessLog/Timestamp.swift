/// The shape of the moment in square brackets; nobody needs its value.
enum Timestamp {
    /// `0` stands for a digit, `A` and `a` for letters, `±` (here `+`) for a sign; everything else for itself.
    private static let shape = Array("[00/Aaa/0000:00:00:00 +0000]".utf8)

    static let length = shape.count

    static func matches(_ text: ArraySlice<UInt8>) -> Bool {
        text.count == length && zip(text, shape).allSatisfy { matches($0, $1) }
    }

    private static func matches(_ byte: UInt8, _ pattern: UInt8) -> Bool {
        switch pattern {
        case UInt8(ascii: "0"): Ascii.isDigit(byte)
        case UInt8(ascii: "A"): Ascii.isUppercase(byte)
        case UInt8(ascii: "a"): Ascii.isLowercase(byte)
        case UInt8(ascii: "+"): byte == UInt8(ascii: "+") || byte == Ascii.hyphen
        default: byte == pattern
        }
    }
}
