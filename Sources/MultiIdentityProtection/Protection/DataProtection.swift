import MultiIdentity
import MultiIdentityFiles
public import MultiIdentityPolicy

/// Protects data of identities: encrypts data of a managed identity with its key, and adds a header with the owner to
/// other data.
///
/// An identity with keys counts as managed here, so that a missing policy leaves no data unencrypted.
///
/// ```swift
/// let protection = DataProtection(keys: keys, accounts: accounts)
/// let sealed = try protection.protect(bytes, for: ada)
/// let opened = try protection.unprotect(sealed, expecting: ada)
/// ```
///
/// Data are encrypted with AES-256-GCM in segments, under a message key derived from the identity's key; the header is
/// authenticated too. `Docs/Data.md` describes what this protects against, and `Tests/Vectors/README.md` the format.
public struct DataProtection: Sendable {
    let keys: any IdentityKeyProvider
    let accounts: any ManagedIdentities
    /// The segment size of data in pieces: streams and files.
    let segmentSize: SegmentSize
    /// The segment size of data in memory: the largest, since each segment costs time.
    let wholeSegmentSize: SegmentSize

    /// Creates a protection with the keys of a provider.
    ///
    /// - Parameters:
    ///   - keys: The source of keys, such as a ``KeyFile``.
    ///   - accounts: The managed identities. Their data are encrypted, and so are those of identities that have keys.
    public init(keys: any IdentityKeyProvider, accounts: any ManagedIdentities) {
        self.init(keys: keys, accounts: accounts, segmentSize: .kibibytes64, wholeSegmentSize: .mebibyte)
    }

    init(
        keys: any IdentityKeyProvider,
        accounts: any ManagedIdentities,
        segmentSize: SegmentSize,
        wholeSegmentSize: SegmentSize? = nil
    ) {
        self.keys = keys
        self.accounts = accounts
        self.segmentSize = segmentSize
        self.wholeSegmentSize = wholeSegmentSize ?? segmentSize
    }
}

extension DataProtection {
    /// The header of new data, including its tag, and their cipher.
    struct NewMessage: ~Copyable {
        let header: [UInt8]
        /// `nil`, like the cipher, if nothing is encrypted.
        let keyID: IdentityKeyID?
        var cipher: MessageCipher?
    }

    /// Begins to protect data, in segments of a size.
    func begin(for identity: Identity, in size: SegmentSize) throws(ProtectionError) -> NewMessage {
        if let revoked = IdentityRevocation.refused(identity) { throw ProtectionError(revoked) }
        guard try isEncrypted(identity) else {
            return NewMessage(header: ProtectionHeader(owner: identity, encryption: nil).bytes, keyID: nil, cipher: nil)
        }
        let key = try keys.currentKey(for: identity)
        return try Self.begin(for: identity, key, salt: Cryptography.random(ProtectionFormat.saltLength), in: size)
    }

    static func begin(
        for identity: Identity,
        _ key: IdentityKey,
        salt: [UInt8],
        in size: SegmentSize
    ) throws(ProtectionError) -> NewMessage {
        let encryption = ProtectionHeader.Encryption(
            segmentSize: size,
            keyID: key.id,
            salt: salt,
            keyCheck: key.check
        )
        let header = ProtectionHeader(owner: identity, encryption: encryption).bytes
        let cipher = try MessageCipher(key, salt: salt, header: header, for: .sealing)
        return NewMessage(header: header + cipher.headerTag, keyID: key.id, cipher: cipher)
    }

    /// The owner of encrypted data: the account that has taken over the key of its alias, otherwise the identity in the
    /// header.
    func owner(of header: ProtectionHeader) -> Identity {
        guard let id = header.encryption?.keyID, let account = IdentityRevocation.account(named: header.owner),
            (try? keys.key(id, of: account)) != nil
        else { return header.owner }
        return account
    }

    /// Returns the cipher that decrypts data with such a header.
    ///
    /// `bytes`: The header as it was read, and its tag.
    func open(
        _ encryption: ProtectionHeader.Encryption,
        of owner: Identity,
        header bytes: UnsafeRawBufferPointer
    ) throws(ProtectionError) -> MessageCipher {
        let key = try keys.key(encryption.keyID, of: owner)
        guard key.id == encryption.keyID, Self.areEqual(key.check, encryption.keyCheck) else {
            throw .wrongKey(encryption.keyID, of: owner)
        }
        let length = bytes.count - ProtectionFormat.headerTagLength
        let header = Array(bytes.part(0..<length))
        let cipher = try MessageCipher(key, salt: encryption.salt, header: header, for: .opening)
        guard Self.areEqual(cipher.headerTag, Array(bytes.part(length..<bytes.count))) else { throw .alteredHeader }
        return cipher
    }

    private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.span.bytes.withUnsafeBytes { one in
            other.span.bytes.withUnsafeBytes { Cryptography.areEqual(one, $0) }
        }
    }

    /// Returns whether an identity's data are encrypted: it is managed, or has keys from when it was.
    private func isEncrypted(_ identity: Identity) throws(ProtectionError) -> Bool {
        if identity.isNobody { return false }
        if accounts.isManaged(identity) { return true }
        return try keys.hasKeys(of: identity)
    }

    /// Throws if plain data may not claim this owner, or if encrypted data were expected.
    func admitClaim(of owner: Identity, expecting expected: Identity?) throws(ProtectionError) {
        if try isEncrypted(owner) { throw .claimsManaged(owner) }
        if let expected { throw .notEncrypted(expecting: expected) }
    }
}
