/// The key that wraps the keys of a ``KeyFile``: 32 secret bytes from outside the file.
///
/// Create one with `openssl rand -base64 32`, for example. The bytes are overwritten when the last reference is
/// released, and never printed.
public final class MasterKey: Sendable {
    let secret: SecretBytes

    /// The length of a master key in bytes: 32.
    static var length: Int { 32 }

    init(_ secret: SecretBytes) { self.secret = secret }

    /// Creates a master key from existing bytes, such as those of a key management service.
    ///
    /// - Parameter bytes: 32 random bytes, which the caller overwrites.
    /// - Throws: ``ProtectionError`` with `.invalidKey` for another length.
    public convenience init(_ bytes: some Collection<UInt8>) throws(ProtectionError) {
        guard bytes.count == Self.length else {
            throw .noMasterKey("The given key", "it has \(bytes.count) bytes")
        }
        self.init(SecretBytes(count: Self.length) { $0.copyBytes(from: bytes) })
    }

    /// Returns whether two keys are equal, in a time that does not reveal where they differ.
    func isSame(as other: MasterKey) -> Bool {
        secret.withBytes { one in other.secret.withBytes { Cryptography.areEqual(one, $0) } }
    }
}

extension MasterKey: CustomStringConvertible, CustomReflectable {
    /// A fixed text, since the key is secret.
    public var description: String { "(master key)" }

    /// An empty mirror, so that `dump` shows nothing of the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
