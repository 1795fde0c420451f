import MultiIdentity
import MultiIdentityFiles

/// The header of protected data.
struct ProtectionHeader: Equatable {
    /// The fields of encrypted data's header besides the owner.
    struct Encryption: Equatable {
        var segmentSize: SegmentSize
        var keyID: IdentityKeyID
        var salt: [UInt8]
        var keyCheck: [UInt8]
    }

    var owner: Identity
    /// `nil` if the header is only a claim, and the bytes after it are plain.
    var encryption: Encryption?

    /// The header's bytes, without its tag.
    var bytes: [UInt8] {
        var writer = ByteWriter(.bigEndian)
        writer.add(ProtectionFormat.magic)
        writer.add(ProtectionFormat.version)
        writer.add(encryption == nil ? 2 : 1 as UInt8)
        writer.add(owner.name, behind: UInt16.self)
        if let encryption {
            writer.add(ProtectionFormat.suite)
            writer.add(encryption.segmentSize.exponent)
            writer.add(encryption.keyID.bytes)
            writer.add(encryption.salt)
            writer.add(encryption.keyCheck)
        }
        return writer.bytes
    }
}

extension ProtectionHeader {
    /// The kind of data that some bytes are the start of.
    enum Start: Equatable {
        /// Not protected, and not with more bytes either.
        case foreign
        /// There are too few bytes to decide or to read the header; `isOurs` once they begin like protected data.
        case unfinished(isOurs: Bool)
        /// A header of so many bytes, without its tag.
        case header(ProtectionHeader, length: Int)
    }

    /// Reads a header from the first bytes of data.
    ///
    /// - Throws: ``ProtectionError`` if the bytes begin like protected data, but not with a header that this version reads.
    static func start(of bytes: UnsafeRawBufferPointer) throws(ProtectionError) -> Start {
        let magic = ProtectionFormat.magic
        guard zip(bytes, magic).allSatisfy(==) else { return .foreign }
        guard bytes.count >= magic.count else { return .unfinished(isOurs: false) }
        guard bytes.count > magic.count else { return .unfinished(isOurs: true) }
        let version = bytes[magic.count]
        guard version <= ProtectionFormat.version else { throw .futureVersion(version) }
        guard version == ProtectionFormat.version else { throw .malformedHeader("it has the version \(version)") }
        var reader = ByteReader(bytes.part(magic.count + 1..<bytes.count), .bigEndian)
        guard let kind = try? reader.number(UInt8.self), let nameLength = try? reader.number(UInt16.self) else {
            return .unfinished(isOurs: true)
        }
        guard kind == 1 || kind == 2 else { throw .malformedHeader("it has the kind \(kind)") }
        guard nameLength <= Identity.maximumNameLength else {
            throw .malformedHeader("its name has \(nameLength) bytes")
        }
        // A header is judged once all of it is there.
        guard let name = try? reader.bytes(Int(nameLength)),
            kind == 2 || reader.rest.count >= ProtectionFormat.encryptedLength
        else { return .unfinished(isOurs: true) }
        var header = ProtectionHeader(owner: try owner(named: name, isClaim: kind == 2), encryption: nil)
        if kind == 1 {
            guard let encryption = try encryption(&reader) else { return .unfinished(isOurs: true) }
            header.encryption = encryption
        }
        return .header(header, length: bytes.count - reader.rest.count)
    }

    private static func owner(
        named name: UnsafeRawBufferPointer,
        isClaim: Bool
    ) throws(ProtectionError) -> Identity {
        if name.isEmpty {
            guard isClaim else { throw .malformedHeader("encrypted data have no owner") }
            return .nobody
        }
        do { return try Identity(utf8: name) } catch { throw .malformedHeader("its name is invalid: \(error)") }
    }

    /// - Returns: `nil` if there are too few bytes.
    private static func encryption(_ reader: inout ByteReader) throws(ProtectionError) -> Encryption? {
        guard let suite = try? reader.number(UInt8.self), let exponent = try? reader.number(UInt8.self),
            let id = try? reader.bytes(IdentityKeyID.length), let keyID = IdentityKeyID(bytes: id),
            let salt = try? reader.bytes(ProtectionFormat.saltLength),
            let keyCheck = try? reader.bytes(IdentityKey.checkLength)
        else { return nil }
        guard suite == ProtectionFormat.suite else { throw .malformedHeader("it has the cipher suite \(suite)") }
        guard let size = SegmentSize(exponent: exponent) else {
            throw .malformedHeader("its segments have 2^\(exponent) bytes")
        }
        return Encryption(segmentSize: size, keyID: keyID, salt: Array(salt), keyCheck: Array(keyCheck))
    }
}
