/// The key that the keys of a ``KeyFile`` are wrapped with: 32 secret bytes from outside the file.
///
/// Made by, say, `openssl rand -base64 32`. Its bytes are overwritten when the last reference goes; it prints as nothing.
public final class MasterKey: Sendable {
    let secret: SecretBytes

    /// The length of a master key in bytes: 32.
    static var length: Int { 32 }

    init(_ secret: SecretBytes) { self.secret = secret }

    /// A master key from elsewhere, as from a key management service.
    ///
    /// - Parameter bytes: 32 bytes from a source of random bytes, which the caller overwrites.
    /// - Throws: ``ProtectionError`` with `.invalidKey` for another count.
    public convenience init(_ bytes: some Collection<UInt8>) throws(ProtectionError) {
        guard bytes.count == Self.length else {
            throw .noMasterKey("What was given", "it has \(bytes.count) bytes")
        }
        self.init(SecretBytes(count: Self.length) { $0.copyBytes(from: bytes) })
    }

    /// Returns whether two are the same, in a time that does not show where they differ.
    func isSame(as other: MasterKey) -> Bool {
        secret.withBytes { one in other.secret.withBytes { Cryptography.areEqual(one, $0) } }
    }
}

extension MasterKey: CustomStringConvertible, CustomReflectable {
    /// Nothing of the key.
    public var description: String { "(master key)" }

    /// Nothing of the key, so that `dump` shows none of it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
