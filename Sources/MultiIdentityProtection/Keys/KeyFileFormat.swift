import MultiIdentity
import MultiIdentityFiles

/// A key file's bytes; `Tests/Vectors/README.md` has them one by one.
enum KeyFileFormat {
    static let magic: [UInt8] = [0x8D, 0x4D, 0x49, 0x4B, 0x46, 0x0D, 0x0A, 0x1A]
    static let version: UInt8 = 1
    static let saltLength = 32
    static let checkLength = 16
    static let tagLength = 32
    /// Magic, version, generation, salt, check and two counts.
    private static let headLength = 8 + 1 + 8 + saltLength + checkLength + 8
    private static let saltRange = 17..<17 + saltLength
    private static let checkRange = saltRange.upperBound..<saltRange.upperBound + checkLength

    /// The bytes of a key file.
    static func bytes(of contents: KeyFileContents, with master: MasterKey) throws(ProtectionError) -> [UInt8] {
        let salt = try Cryptography.random(saltLength)
        var writer = ByteWriter(.bigEndian)
        writer.add(magic)
        writer.add(version)
        writer.add(contents.generation)
        writer.add(salt)
        writer.add(try check(of: master, salt: salt))
        writer.add(UInt32(contents.entries.count))
        writer.add(UInt32(contents.destroyed.count))
        for entry in contents.entries {
            writer.add(entry.id.bytes)
            writer.add(entry.owner.name, behind: UInt16.self)
            writer.add(entry.salt)
            writer.add(entry.wrapped)
        }
        for id in contents.destroyed.sorted(by: { $0.description < $1.description }) { writer.add(id.bytes) }
        writer.add(try tag(of: writer.bytes, with: master, salt: salt))
        return writer.bytes
    }

    /// Returns the first of some master keys that a file was written under; `nil` if it was none of them.
    static func master(
        of bytes: UnsafeRawBufferPointer,
        among masters: [MasterKey],
        path: String
    ) throws(ProtectionError) -> MasterKey? {
        guard bytes.starts(with: magic) else { throw .damaged(path, "it does not begin like a key file") }
        guard bytes.count > magic.count else { throw .damaged(path, "it was cut off") }
        guard bytes[magic.count] == version else {
            guard bytes[magic.count] > version else { throw .damaged(path, "it has the version 0") }
            throw ProtectionError(
                .futureVersion,
                "\(path) has version \(bytes[magic.count]) of the format, and this package supports version \(version). Update the package."
            )
        }
        guard bytes.count >= headLength + tagLength else { throw .damaged(path, "it was cut off") }
        for master in masters
        where try check(of: master, salt: Array(bytes[saltRange])).elementsEqual(bytes[checkRange]) {
            return master
        }
        return nil
    }

    /// Reads a file that was written under a master key, all of which is authenticated first.
    static func contents(
        of bytes: UnsafeRawBufferPointer,
        with master: MasterKey,
        path: String
    ) throws(ProtectionError) -> KeyFileContents {
        let end = bytes.count - tagLength
        let signed = Array(bytes[..<end])
        let expected = try tag(of: signed, with: master, salt: Array(bytes[saltRange]))
        let isOurs = expected.withUnsafeBytes { Cryptography.areEqual($0, bytes.part(end..<bytes.count)) }
        guard isOurs else { throw .damaged(path, "it was altered, cut off, or combined from other files") }
        do { return try contents(of: signed) } catch {
            throw .damaged(path, "it is authentic, but its form is not canonical")
        }
    }

    /// Reads an authenticated file without its tag; its counts are still checked.
    static func contents(of bytes: [UInt8]) throws(ByteError) -> KeyFileContents {
        try ByteReader.whole(bytes, .bigEndian) { (reader) throws(ByteError) in
            _ = try reader.bytes(magic.count + 1)
            let generation: UInt64 = try reader.number()
            _ = try reader.bytes(saltLength + checkLength)
            let (entryCount, destroyedCount): (UInt32, UInt32) = (try reader.number(), try reader.number())
            let entries = try reader.list(of: entryCount) { (reader) throws(ByteError) in try reader.entry() }
            let destroyed = try reader.list(of: destroyedCount) { (reader) throws(ByteError) in try reader.id() }
            return KeyFileContents(generation: generation, entries: entries, destroyed: Set(destroyed))
        }
    }

    private static func check(of master: MasterKey, salt: [UInt8]) throws(ProtectionError) -> [UInt8] {
        try master.secret.withBytes { (key) throws(ProtectionError) in
            try Derivation.bytes(checkLength, from: key, salt: salt, info: Derivation.masterCheck)
        }
    }

    private static func tag(
        of bytes: [UInt8],
        with master: MasterKey,
        salt: [UInt8]
    ) throws(ProtectionError) -> [UInt8] {
        let info = try Derivation.info(Derivation.keyFile, bytes)
        return try master.secret.withBytes { (key) throws(ProtectionError) in
            try Derivation.bytes(tagLength, from: key, salt: salt, info: info)
        }
    }
}

extension ByteReader {
    fileprivate mutating func id() throws(ByteError) -> IdentityKeyID {
        guard let id = IdentityKeyID(bytes: try bytes(IdentityKeyID.length)) else { throw .invalid }
        return id
    }

    fileprivate mutating func entry() throws(ByteError) -> KeyFileEntry {
        let id = try id()
        guard let owner = try? Identity(utf8: try bytes(behind: UInt16.self)) else { throw .invalid }
        let salt = Array(try bytes(KeyFileEntry.saltLength))
        return KeyFileEntry(id: id, owner: owner, salt: salt, wrapped: Array(try bytes(KeyFileEntry.wrappedLength)))
    }
}
