/// The rules for names: 1 to 1,024 UTF-8 bytes, no control characters, no line breaks, no white space at either end.
///
/// A name that breaks a rule is refused; nothing is trimmed.
package enum IdentityName {
    static let maximumLength = 1_024

    /// Checks a name against every rule.
    ///
    /// Complexity: O(*n*) in the name's length; one pass over the bytes if they are ASCII.
    package static func validate(_ name: String) throws(IdentityError) {
        let length = name.utf8.count
        try validate(length: length, EscapedText(name))
        if !isPlain(name) { try validateScalars(of: name, length: length) }
    }

    /// Returns the text of a name from its bytes; the other rules are not checked.
    package static func decode(_ utf8: some Collection<UInt8>) throws(IdentityError) -> String {
        // First of all, since a sender may send any number of bytes. (244 bytes are enough for what a message shows.)
        try validate(length: utf8.count, EscapedText(String(decoding: utf8.prefix(4 * 61), as: UTF8.self)))
        if let offset = utf8.offsetOfInvalidUTF8() {
            throw IdentityError(
                .invalidUTF8,
                """
                The \(utf8.count) bytes "\(EscapedText(bytes: utf8))" of this name are not UTF-8 from offset \(offset) on. \
                Decode them at their source.
                """,
                utf8Offset: offset
            )
        }
        return String(decoding: utf8, as: UTF8.self)
    }

    /// Checks the number of UTF-8 bytes of a name that begins as shown.
    static func validate(length: Int, _ shown: @autoclosure () -> EscapedText) throws(IdentityError) {
        guard length > 0 else {
            throw IdentityError(
                .emptyName,
                """
                A name needs 1 to \(maximumLength) UTF-8 bytes, and this one is empty. For no identity, use \
                Identity.nobody.
                """,
                utf8Offset: 0
            )
        }
        guard length <= maximumLength else {
            throw IdentityError(
                .nameTooLong,
                """
                A name has at most \(maximumLength) UTF-8 bytes; the one that starts with "\(shown())" has \
                \(length). Use the account's id instead.
                """,
                utf8Offset: maximumLength
            )
        }
    }

    private static func validateScalars(of name: String, length: Int) throws(IdentityError) {
        var offset = 0
        for scalar in name.unicodeScalars {
            let width = UTF8.width(scalar)
            if isLineBreak(scalar) { throw refusal(.lineBreak, "a line break", scalar, in: name, at: offset) }
            if scalar.properties.generalCategory == .control {
                throw refusal(.controlCharacter, "a control character", scalar, in: name, at: offset)
            }
            let isAtAnEnd = offset == 0 || offset + width == length
            if isAtAnEnd && scalar.properties.isWhitespace {
                throw refusal(.surroundingWhiteSpace, "white space at an end", scalar, in: name, at: offset)
            }
            offset += width
        }
    }

    /// Returns whether all is visible ASCII, as in most names: over the bytes in place, in a tenth of the time of iterating.
    private static func isPlain(_ name: String) -> Bool {
        name.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { 0x21 <= $0 && $0 <= 0x7E } } == true
    }

    /// The mandatory breaks of UAX #14: LF, VT, FF, CR, NEL, LS, PS.
    private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func refusal(
        _ code: IdentityError.Code,
        _ what: String,
        _ scalar: Unicode.Scalar,
        in name: String,
        at offset: Int
    ) -> IdentityError {
        let hexadecimal = String(scalar.value, radix: 16, uppercase: true)
        let number = "U+" + String(repeating: "0", count: max(0, 4 - hexadecimal.count)) + hexadecimal
        return IdentityError(
            code,
            """
            The name "\(EscapedText(name))" has \(what), \(number), at UTF-8 offset \(offset). \
            Names are not trimmed: clean the name at its source.
            """,
            utf8Offset: offset
        )
    }
}

extension Collection<UInt8> {
    /// Returns the offset of the first byte that does not begin a valid UTF-8 sequence, or `nil` if all are valid.
    func offsetOfInvalidUTF8() -> Int? {
        var decoder = UTF8.ForwardParser()
        var bytes = makeIterator()
        var offset = 0
        while true {
            switch decoder.parseScalar(from: &bytes) {
            case .valid(let sequence): offset += sequence.count
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }
}
