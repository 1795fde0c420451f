import MultiIdentityFiles

/// The uses that keys are derived for: each has its own label, so that none can replace another.
enum Derivation {
    /// Of a message: its cipher's key, the nonces' prefix and the header's tag.
    static let message = Array("MultiIdentity message 1\0".utf8)
    /// The label of the check value of an identity's key.
    static let keyCheck = Array("MultiIdentity key check 1\0".utf8)
    /// The label of the check value of a master key.
    static let masterCheck = Array("MultiIdentity master key check 1\0".utf8)
    /// Of a master key: what wraps one entry of a key file.
    static let keyEntry = Array("MultiIdentity key entry 1\0".utf8)
    /// Of a master key: what authenticates a key file as a whole.
    static let keyFile = Array("MultiIdentity key file 1\0".utf8)

    /// Returns the input of a derivation besides the key and the salt: a use, and any number of bytes, by their digest.
    static func info(_ label: [UInt8], _ bytes: [UInt8]) throws(ProtectionError) -> [UInt8] {
        label + (try Cryptography.digest(of: bytes))
    }

    /// Bytes that are no secret.
    static func bytes(
        _ count: Int,
        from key: UnsafeRawBufferPointer,
        salt: [UInt8],
        info: [UInt8]
    ) throws(ProtectionError) -> [UInt8] {
        try [UInt8](capacity: count) { (memory) throws(ProtectionError) in
            try derive(into: memory.part(0..<count), from: key, salt: salt, info: info)
            return count
        }
    }

    static func secret(
        _ count: Int,
        from key: SecretBytes,
        salt: [UInt8],
        info: [UInt8]
    ) throws(ProtectionError) -> SecretBytes {
        try SecretBytes(count: count) { (memory) throws(ProtectionError) in
            try key.withBytes { (key) throws(ProtectionError) in
                try derive(into: memory, from: key, salt: salt, info: info)
            }
        }
    }

    private static func derive(
        into memory: UnsafeMutableRawBufferPointer,
        from key: UnsafeRawBufferPointer,
        salt: [UInt8],
        info: [UInt8]
    ) throws(ProtectionError) {
        try salt.span.bytes.withUnsafeBytes { (salt) throws(ProtectionError) in
            try info.span.bytes.withUnsafeBytes { (info) throws(ProtectionError) in
                try Cryptography.derive(from: key, salt: salt, info: info, into: memory)
            }
        }
    }
}
