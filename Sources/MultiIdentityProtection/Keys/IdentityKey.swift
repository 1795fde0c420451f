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
    public static var length: Int { AESGCM.keyLength }

    static let checkLength = 16

    /// A key from elsewhere, as from a key management service.
    ///
    /// - Parameters:
    ///   - id: The name of the key; one id never stands for two keys.
    ///   - secret: ``length`` bytes from a source of random bytes, which the caller overwrites.
    /// - Throws: ``IdentityKeyError`` with `.invalidKey` for another count.
    public convenience init(id: IdentityKeyID, secret: some Collection<UInt8>) throws(IdentityKeyError) {
        guard secret.count == Self.length else {
            throw IdentityKeyError(
                .invalidKey,
                "The key \(id) has \(secret.count) bytes; it has to have \(Self.length)."
            )
        }
        try self.init(id: id, SecretBytes(count: Self.length) { $0.copyBytes(from: secret) })
    }

    init(id: IdentityKeyID, _ secret: SecretBytes) throws(IdentityKeyError) {
        self.id = id
        self.secret = secret
        do {
            check = try secret.withBytes { (key) throws(CryptographyError) in
                try Derivation.bytes(Self.checkLength, from: key, salt: [], info: Derivation.keyCheck + id.bytes)
            }
        } catch { throw IdentityKeyError(error) }
    }

    /// A new key.
    static func random() throws(IdentityKeyError) -> IdentityKey {
        let (id, secret): (IdentityKeyID, SecretBytes)
        do {
            id = try IdentityKeyID.random()
            secret = try SecretBytes(count: length) { (memory) throws(CryptographyError) in
                try Cryptography.randomize(memory)
            }
        } catch { throw IdentityKeyError(error) }
        return try IdentityKey(id: id, secret)
    }
}

extension IdentityKey: CustomStringConvertible, CustomReflectable {
    /// The id alone.
    public var description: String { "key \(id)" }

    /// The id alone, so that `dump` shows no more.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
