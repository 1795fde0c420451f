import MultiIdentity

/// The input is a name's bytes.
///
/// An accepted name obeys rule 1.4 according to ICU, is returned unchanged, and equals a second instance; a refused name
/// breaks the rule in the error, at an offset inside the input.
enum Names {
    static func check(_ bytes: [UInt8]) -> Bool {
        do {
            let identity = try Identity(utf8: bytes)
            accepted(identity, bytes)
        } catch {
            refused(error, bytes)
        }
        return true
    }

    private static func accepted(_ identity: Identity, _ bytes: [UInt8]) {
        require((1...1_024).contains(bytes.count), "accepted \(bytes.count) bytes")
        require(Array(identity.name.utf8) == bytes, "gave another spelling back")
        require(String(validating: bytes, as: UTF8.self) != nil, "accepted what is not UTF-8")
        let scalars = identity.name.unicodeScalars
        require(!scalars.contains(where: breaksLine), "accepted a line break")
        require(!scalars.contains(where: Unicode15.isControl), "accepted a control character")
        for end in [scalars.first, scalars.last] {
            require(end.map(Unicode15.isWhiteSpace) == false, "accepted white space at an end")
        }
        require(!identity.isNobody && identity != .nobody, "is nobody")
        let again = try? Identity(identity.name)
        require(again == identity && again?.hashValue == identity.hashValue, "made apart is another")
        require(again.map { !($0 < identity) && !(identity < $0) } == true, "comes before itself")
        let snapshot = withIdentity(identity) { IdentitySnapshot.capture() }
        require(snapshot.restore { Identity.current?.name } == identity.name, "does not travel")
        require(Identity.current == nil, "stays bound")
    }

    private static func refused(_ error: IdentityError, _ bytes: [UInt8]) {
        let offset = error.utf8Offset ?? -1
        let isInside = error.code == .emptyName ? offset == 0 : bytes.indices.contains(offset)
        require(isInside, "\(error.code) at offset \(offset) of \(bytes.count)")
        require(!error.message.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a control character in the message")
        require(error.message.utf8.count < 1_500, "a message of \(error.message.utf8.count) bytes")
        let rest = String(decoding: bytes.dropFirst(offset), as: UTF8.self).unicodeScalars.first ?? "a"
        switch error.code {
        case .emptyName: require(bytes.isEmpty, "empty: \(bytes.count) bytes")
        case .nameTooLong: require(bytes.count > 1_024 && offset == 1_024, "too long: \(bytes.count) bytes")
        case .invalidUTF8:
            require(String(validating: bytes, as: UTF8.self) == nil, "not UTF-8: it is")
            require(String(validating: bytes.prefix(offset), as: UTF8.self) != nil, "not UTF-8 before the offset")
        case .lineBreak: require(breaksLine(rest), "line break: \(rest.escaped(asASCII: true))")
        case .controlCharacter: require(Unicode15.isControl(rest), "control: \(rest.escaped(asASCII: true))")
        case .surroundingWhiteSpace:
            let isAtAnEnd = offset == 0 || offset + UTF8.width(rest) == bytes.count
            require(isAtAnEnd && Unicode15.isWhiteSpace(rest), "white space: \(rest.escaped(asASCII: true))")
        default: require(false, "an unknown code: \(error.code)")
        }
    }

    private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
        ["\n", "\u{B}", "\u{C}", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
    }
}
