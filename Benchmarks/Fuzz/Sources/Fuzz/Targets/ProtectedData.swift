import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection

/// The first byte of the input says how the rest is used.
///
/// 0: data; unprotected in memory and as a stream in pieces, they give the same text, or are refused; expecting ada gives no
/// other text; no claim names a managed identity. 1: a text; it is unchanged after protecting and unprotecting, but not after
/// one bit was changed, which the text selects, or the end was cut. 2: like 0, after the start of a header.
enum ProtectedData {
    private struct AdaAlone: ManagedIdentities {
        func isManaged(_ identity: Identity) -> Bool { identity.name.hasPrefix("ada") }
    }

    /// One key, always the same, so that inputs of the corpus can be valid messages.
    private final class OneKey: IdentityKeyProvider {
        let key: IdentityKey

        init() throws {
            guard let id = IdentityKeyID(bytes: Array(repeating: 1, count: 16)) else {
                throw ProtectionError(.invalidKey, "an id")
            }
            key = try IdentityKey(id: id, secret: Array(repeating: 2, count: 32))
        }

        func currentKey(for identity: Identity) throws(ProtectionError) -> IdentityKey { key }
        func key(_ id: IdentityKeyID, of identity: Identity) throws(ProtectionError) -> IdentityKey {
            guard id == key.id, identity.name.hasPrefix("ada") else {
                throw ProtectionError(.unknownKey, "another key")
            }
            return key
        }
        func hasKeys(of identity: Identity) throws(ProtectionError) -> Bool { identity.name.hasPrefix("ada") }
        func rotateKey(of identity: Identity) throws(ProtectionError) -> IdentityKeyID { key.id }
        func destroyKeys(of identity: Identity) throws(ProtectionError) {}
    }

    private static let protection = (try? OneKey()).map { DataProtection(keys: $0, accounts: AdaAlone()) }
    private static let ada = try? Identity("ada@contoso.com")

    static func check(_ bytes: [UInt8]) -> Bool {
        guard let protection, let ada, let first = bytes.first else { return false }
        let rest = Array(bytes.dropFirst())
        switch first {
        case 0: read(rest, protection, ada)
        case 1: change(rest, protection, ada)
        case 2: read(Array(header) + rest, protection, ada)
        default: return false
        }
        return true
    }

    private static let header: [UInt8] = [0x8D, 0x4D, 0x49, 0x44, 0x50, 0x0D, 0x0A, 0x1A, 1]

    private static func read(_ bytes: [UInt8], _ protection: DataProtection, _ ada: Identity) {
        let whole = outcome { () throws(ProtectionError) in try protection.unprotectIfProtected(bytes) }
        let size = 1 + bytes.count / 3
        let pieces = outcome { () throws(ProtectionError) in
            var stream = protection.unprotectingStreamIfProtected()
            var text: [UInt8] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                text += try stream.push(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            return try text + stream.finish()
        }
        require(whole == pieces, "in memory it is another text than as a stream")
        if whole == bytes, bytes.starts(with: header) {
            // A claim has a header, and so have encrypted data: nothing with our header is returned as text.
            require(false, "a header was taken for text")
        }
        let expected = outcome { () throws(ProtectionError) in try protection.unprotect(bytes, expecting: ada) }
        require(expected == nil || whole == expected, "expecting ada gave another text")
        if let info = try? protection.protectionInfo(bytes), info.form == .claimed {
            require(!info.owner.name.hasPrefix("ada"), "a claim of a managed identity")
        }
    }

    private static func change(_ text: [UInt8], _ protection: DataProtection, _ ada: Identity) {
        guard let sealed = try? protection.protect(text, for: ada) else {
            return require(false, "could not be protected")
        }
        require((try? protection.unprotect(sealed, expecting: ada)) == text, "came back as something else")
        let bit = text.prefix(4).reduce(0) { $0 << 8 | Int($1) } % (sealed.count * 8)
        var altered = sealed
        altered[bit / 8] ^= 1 << UInt8(bit % 8)
        require(
            (try? protection.unprotect(altered, expecting: ada)) == nil,
            "bit \(bit) of \(text.count) can be changed"
        )
        require((try? protection.unprotect(Array(sealed.dropLast(1 + bit % 7)), expecting: ada)) == nil, "could be cut")
    }

    /// `nil` if it is refused: which of several errors comes first depends on the pieces.
    private static func outcome(_ body: () throws(ProtectionError) -> [UInt8]) -> [UInt8]? { try? body() }
}
