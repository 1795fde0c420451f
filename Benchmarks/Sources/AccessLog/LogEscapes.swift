/// Decodes the escapes with which servers write untrusted bytes.
///
/// nginx writes `\xHH` only; Apache also writes `\"`, `\\` and the C escapes of white space.
enum LogEscapes {
    static func decoded(
        _ text: ArraySlice<UInt8>,
        of field: MalformedLine.Field
    ) throws(MalformedLine.Reason) -> [UInt8] {
        guard text.contains(Ascii.backslash) else { return Array(text) }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            if byte != Ascii.backslash {
                result.append(byte)
            } else if let decoded = popEscape(from: &rest) {
                result.append(decoded)
            } else {
                // Guessing would turn `CONTOSO\bob` into another user.
                throw .invalidEscape(field, offset: text.distance(from: text.startIndex, to: rest.startIndex) - 1)
            }
        }
        return result
    }

    /// The byte that the escape after a backslash stands for; takes nothing when there is none such.
    private static func popEscape(from rest: inout ArraySlice<UInt8>) -> UInt8? {
        guard let letter = rest.first else { return nil }
        if letter == UInt8(ascii: "x") {
            let digits = rest.dropFirst().prefix(2).compactMap(Ascii.hexValue)
            guard digits.count == 2 else { return nil }
            rest = rest.dropFirst(3)
            return digits[0] << 4 | digits[1]
        }
        guard let byte = simpleEscapes[letter] else { return nil }
        rest = rest.dropFirst()
        return byte
    }

    private static let simpleEscapes: [UInt8: UInt8] = [
        Ascii.quote: Ascii.quote,
        Ascii.backslash: Ascii.backslash,
        UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "t"): 0x09,
        UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "v"): 0x0B,
        UInt8(ascii: "f"): 0x0C,
        UInt8(ascii: "r"): 0x0D,
    ]
}
