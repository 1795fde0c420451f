import MultiIdentity

/// The characters of a baggage header, and percent-encoding.
enum BaggageText {
    /// Returns whether it is 1 to 255 bytes of RFC 9110's `tchar`.
    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        (1...255).contains(bytes.count) && bytes.allSatisfy { isAlphanumeric($0) || tokenMarks.contains($0) }
    }

    private static let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    /// Visible ASCII, space or tab.
    static func isAllowed(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) || byte == 0x09 }

    static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The baggage-octets: visible ASCII except `",;\`.
    private static func isOctet(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
        default: false
        }
    }

    /// Encodes all but letters, digits and `-._~@` as `%HH`: more than required, since some readers interpret `+` and `=`.
    static func encode(_ text: String, into encoded: inout [UInt8]) {
        for byte in text.utf8 {
            if isAlphanumeric(byte) || plainMarks.contains(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                Hexadecimal.append(byte, to: &encoded, areLarge: true)
            }
        }
    }

    private static let plainMarks = Array("-._~@".utf8)

    /// The decoded bytes of a percent-encoded value; they need not be UTF-8.
    static func decoded(_ value: ArraySlice<UInt8>) throws(IdentityCarrierError) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(value.count)
        var rest = value
        while let byte = rest.popFirst() {
            guard isOctet(byte) else {
                throw IdentityCarrierError(
                    .malformedMember,
                    """
                    The member's value "\(EscapedText(bytes: value))" contains "\(EscapedText(bytes: [byte]))". Have the sender \
                    percent-encode it.
                    """
                )
            }
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let escaped = escaped(&rest) else {
                throw IdentityCarrierError(
                    .invalidEncoding,
                    """
                    The member's value "\(EscapedText(bytes: value))" has a % without two hexadecimal digits. Have the \
                    sender percent-encode it, % itself as %25.
                    """
                )
            }
            decoded.append(escaped)
        }
        return decoded
    }

    /// Returns what a lenient reader makes of a key: `%HH` decoded, `+` as a space, and all else as it is.
    static func decodedWhereItCanBe(_ key: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = key
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let escaped = escaped(&rest) {
                decoded.append(escaped)
            } else {
                decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return decoded
    }

    /// Takes the two digits after a `%`, if they are there.
    private static func escaped(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
        guard let high = rest.first, let low = rest.dropFirst().first, let byte = Hexadecimal.byte(high, low) else {
            return nil
        }
        rest = rest.dropFirst(2)
        return byte
    }
}

extension ArraySlice<UInt8> {
    /// Without white space at its ends.
    var trimmed: ArraySlice<UInt8> {
        guard let end = lastIndex(where: { !BaggageText.isWhiteSpace($0) }) else { return [] }
        return self[...end].drop(while: BaggageText.isWhiteSpace)
    }
}
