import MultiIdentity
import MultiIdentityFiles

/// A key file's bytes; `Docs/DataProtection.md` has them one by one.
enum KeyFileFormat {
    static let magic: [UInt8] = [0x8D, 0x4D, 0x49, 0x4B, 0x46, 0x0D, 0x0A, 0x1A]
    static let version: UInt8 = 1
    static let saltLength = 32
    static let checkLength = 16
    static let tagLength = 32
    /// Magic, version, generation, salt, check and two counts.
    static let headLength = 8 + 1 + 8 + saltLength + checkLength + 8
    static let entryLength = IdentityKeyID.length + 2 + KeyFileEntry.saltLength + KeyFileEntry.wrappedLength

    /// The bytes of a key file.
    static func bytes(of contents: KeyFileContents, with master: MasterKey) throws(CryptographyError) -> [UInt8] {
        let salt = try [UInt8](capacity: saltLength) { (memory) throws(CryptographyError) in
            try Cryptography.randomize(memory)
            return memory.count
        }
        var bytes = magic + [version]
        bytes.append(contents.generation)
        bytes += salt
        bytes += try check(of: master, salt: salt)
        bytes.append(UInt32(contents.entries.count))
        bytes.append(UInt32(contents.destroyed.count))
        for entry in contents.entries {
            bytes += entry.id.bytes
            bytes.append(UInt16(entry.owner.name.utf8.count))
            bytes += entry.owner.name.utf8
            bytes += entry.salt
            bytes += entry.wrapped
        }
        for id in contents.destroyed.sorted(by: { $0.description < $1.description }) { bytes += id.bytes }
        return try bytes + tag(of: bytes, with: master, salt: salt)
    }

    /// The first of some master keys that a file was written under; `nil` where it was none of them.
    static func master(
        of bytes: UnsafeRawBufferPointer,
        among masters: [MasterKey],
        path: String
    ) throws(IdentityKeyError) -> MasterKey? {
        guard bytes.starts(with: magic) else { throw .damaged(path, "it does not begin as a key file does") }
        guard bytes.count > magic.count else { throw .damaged(path, "it was cut off") }
        guard bytes[magic.count] == version else {
            guard bytes[magic.count] > version else { throw .damaged(path, "it has the version 0") }
            throw IdentityKeyError(
                .futureVersion,
                "\(path) has version \(bytes[magic.count]) of the format, and this package knows \(version); use a later one."
            )
        }
        guard bytes.count >= headLength + tagLength else { throw .damaged(path, "it was cut off") }
        let saltStart = magic.count + 1 + 8
        let salt = Array(bytes[saltStart..<saltStart + saltLength])
        let found = Array(bytes[saltStart + saltLength..<saltStart + saltLength + checkLength])
        do throws(CryptographyError) {
            for master in masters where try check(of: master, salt: salt) == found { return master }
            return nil
        } catch { throw IdentityKeyError(error) }
    }

    /// Reads a file that was written under a master key, all of which is authenticated first.
    static func contents(
        of bytes: UnsafeRawBufferPointer,
        with master: MasterKey,
        path: String
    ) throws(IdentityKeyError) -> KeyFileContents {
        let end = bytes.count - tagLength
        let saltStart = magic.count + 1 + 8
        let expected: [UInt8]
        do throws(CryptographyError) {
            let salt = Array(bytes[saltStart..<saltStart + saltLength])
            expected = try tag(of: Array(bytes[..<end]), with: master, salt: salt)
        } catch { throw IdentityKeyError(error) }
        let isOurs = expected.withUnsafeBytes { Cryptography.areEqual($0, bytes.part(end..<bytes.count)) }
        guard isOurs else { throw .damaged(path, "it was altered, cut off, or put together from others") }
        guard let contents = KeyFileReader.contents(of: bytes.part(0..<end)) else {
            throw .damaged(path, "it is authentic, and yet not as it is written")
        }
        return contents
    }

    private static func check(of master: MasterKey, salt: [UInt8]) throws(CryptographyError) -> [UInt8] {
        try master.secret.withBytes { (key) throws(CryptographyError) in
            try Derivation.bytes(checkLength, from: key, salt: salt, info: Derivation.masterCheck)
        }
    }

    private static func tag(
        of bytes: [UInt8],
        with master: MasterKey,
        salt: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        let info = try Derivation.info(Derivation.keyFile, bytes)
        return try master.secret.withBytes { (key) throws(CryptographyError) in
            try Derivation.bytes(tagLength, from: key, salt: salt, info: info)
        }
    }
}

extension [UInt8] {
    /// Most significant byte first.
    fileprivate mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
