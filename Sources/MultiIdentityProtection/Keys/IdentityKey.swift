/// A key that protects an identity's data: 32 secret bytes and an ID.
///
/// The bytes are overwritten when the last reference is released. They cannot be read or encoded; the key prints as its
/// ID.
public final class IdentityKey: Sendable {
    /// The ID of the key in the data that it protects.
    public let id: IdentityKeyID

    let secret: SecretBytes

    /// A check value in data, derived from the key and its ID, which reveals a wrong key.
    let check: [UInt8]

    /// The length of a key in bytes: 32.
    static var length: Int { AESGCM.keyLength }

    static let checkLength = 16

    /// Creates a key from existing bytes, such as those of a key management service.
    ///
    /// - Parameters:
    ///   - id: The ID of the key; no two keys share one.
    ///   - secret: 32 random bytes, which the caller overwrites.
    /// - Throws: ``ProtectionError`` with `.invalidKey` for another length.
    public convenience init(id: IdentityKeyID, secret: some Collection<UInt8>) throws(ProtectionError) {
        guard secret.count == Self.length else {
            throw ProtectionError(
                .invalidKey,
                "The key \(id) has \(secret.count) bytes; pass exactly \(Self.length)."
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
    /// The ID of the key.
    public var description: String { "key \(id)" }

    /// The ID of the key only, so that `dump` shows no more.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
