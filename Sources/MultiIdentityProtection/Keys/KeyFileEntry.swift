import MultiIdentity
import MultiIdentityFiles

/// A key of an identity as a key file has it: wrapped with the master key, bound to the identity and its own id.
struct KeyFileEntry: Sendable {
    static let saltLength = 32
    static let wrappedLength = IdentityKey.length + AESGCM.tagLength

    let id: IdentityKeyID
    let owner: Identity
    let salt: [UInt8]
    let wrapped: [UInt8]

    init(id: IdentityKeyID, owner: Identity, salt: [UInt8], wrapped: [UInt8]) {
        self.id = id
        self.owner = owner
        self.salt = salt
        self.wrapped = wrapped
    }

    /// Wraps a key.
    init(_ key: IdentityKey, of owner: Identity, with master: MasterKey) throws(ProtectionError) {
        id = key.id
        self.owner = owner
        salt = try Cryptography.random(Self.saltLength)
        let wrapping = try Self.wrapping(id, owner, salt, with: master)
        var cipher = try wrapping.withBytes { (bytes) throws(ProtectionError) in
            try AESGCM(key: bytes.part(0..<AESGCM.keyLength), for: .sealing)
        }
        wrapped = try [UInt8](capacity: Self.wrappedLength) { (output) throws(ProtectionError) in
            try wrapping.withBytes { (bytes) throws(ProtectionError) in
                try key.secret.withBytes { (text) throws(ProtectionError) in
                    try cipher.seal(text, nonce: bytes.part(AESGCM.keyLength..<bytes.count), into: output)
                }
            }
            return output.count
        }
    }

    /// Returns the key; `nil` if the entry was altered, or wrapped for another identity or ID.
    func unwrapped(with master: MasterKey) throws(ProtectionError) -> IdentityKey? {
        var isOurs = false
        let wrapping = try Self.wrapping(id, owner, salt, with: master)
        var cipher = try wrapping.withBytes { (bytes) throws(ProtectionError) in
            try AESGCM(key: bytes.part(0..<AESGCM.keyLength), for: .opening)
        }
        let secret = try SecretBytes(count: IdentityKey.length) { (output) throws(ProtectionError) in
            isOurs = try wrapping.withBytes { (bytes) throws(ProtectionError) in
                try wrapped.span.bytes.withUnsafeBytes { (wrapped) throws(ProtectionError) in
                    try cipher.open(wrapped, nonce: bytes.part(AESGCM.keyLength..<bytes.count), into: output)
                }
            }
        }
        return isOurs ? try IdentityKey(id: id, secret) : nil
    }

    /// A key for this entry alone, and the nonce.
    private static func wrapping(
        _ id: IdentityKeyID,
        _ owner: Identity,
        _ salt: [UInt8],
        with master: MasterKey
    ) throws(ProtectionError) -> SecretBytes {
        let info = try Derivation.info(Derivation.keyEntry, id.bytes + Array(owner.name.utf8))
        return try Derivation.secret(
            AESGCM.keyLength + AESGCM.nonceLength,
            from: master.secret,
            salt: salt,
            info: info
        )
    }
}
