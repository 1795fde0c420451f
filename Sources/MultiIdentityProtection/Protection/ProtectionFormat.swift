/// The numbers of the format; `Tests/Vectors/README.md` has it byte by byte.
enum ProtectionFormat {
    /// No text begins with these bytes, and a transfer as text would change them.
    static let magic: [UInt8] = [0x8D, 0x4D, 0x49, 0x44, 0x50, 0x0D, 0x0A, 0x1A]
    /// The end of encrypted data, so that what was cut off shows before it is taken for altered.
    static let end: [UInt8] = [0x8D, 0x45, 0x4E, 0x44]

    static let version: UInt8 = 1
    /// AES-256-GCM in segments, keys by HKDF-SHA-256.
    static let suite: UInt8 = 1

    static let saltLength = 32
    static let headerTagLength = 32
    static let noncePrefixLength = 7

    /// Magic, version, kind and the name's length.
    static let fixedLength = 12
    /// The length of what follows the name in an encrypted message's header, up to its tag.
    static let encryptedLength = 2 + IdentityKeyID.length + saltLength + IdentityKey.checkLength

    /// The most bytes that a header has.
    static let maximumHeaderLength = fixedLength + 1_024 + encryptedLength + headerTagLength

    /// The maximum number of segments in a message, limited by its counter.
    static let maximumSegmentCount = UInt64(UInt32.max) + 1
}
