/// A key that protects an identity's data: 32 secret bytes, and the id that the data name.
///
/// Its bytes are overwritten when the last reference goes. It prints as its id, has no `Codable` form, and gives nobody
/// its bytes.
public final class IdentityKey: Sendable {
    /// The name of the key in the data that it protects.
    public let id: IdentityKeyID

    let secret: SecretBytes

    /// The bytes in data by which another key than theirs is noticed: derived from the key and its id.
    let check: [UInt8]

    /// The length of a key in bytes: 32.
    static var length: Int { AESGCM.keyLength }

    static let checkLength = 16

    /// A key from elsewhere, as from a key management service.
    ///
    /// - Parameters:
    ///   - id: The name of the key; one id never stands for two keys.
    ///   - secret: 32 bytes from a source of random bytes, which the caller overwrites.
    /// - Throws: ``ProtectionError`` with `.invalidKey` for another count.
    public convenience init(id: IdentityKeyID, secret: some Collection<UInt8>) throws(ProtectionError) {
        guard secret.count == Self.length else {
            throw ProtectionError(
                .invalidKey,
                "The key \(id) has \(secret.count) bytes; it has to have \(Self.length)."
            )
        }
        try self.init(id: id, SecretBytes(count: Self.length) { $0.copyBytes(from: secret) })
    }

    init(id: IdentityKeyID, _ secret: SecretBytes) throws(ProtectionError) {
        self.id = id
        self.secret = secret
        check = try secret.withBytes { (key) throws(ProtectionError) in
            try Derivation.bytes(Self.checkLength, from: key, salt: [], info: Derivation.keyCheck + id.bytes)
        }
    }

    /// A new key.
    static func random() throws(ProtectionError) -> IdentityKey {
        let secret = try SecretBytes(count: length) { (memory) throws(ProtectionError) in
            try Cryptography.randomize(memory)
        }
        return try IdentityKey(id: IdentityKeyID.random(), secret)
    }
}

extension IdentityKey: CustomStringConvertible, CustomReflectable {
    /// The id alone.
    public var description: String { "key \(id)" }

    /// The id alone, so that `dump` shows no more.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
