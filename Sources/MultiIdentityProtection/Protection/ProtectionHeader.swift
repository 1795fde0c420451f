import MultiIdentity

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
    /// `nil`: the header is a claim, and the bytes behind it are plain.
    var encryption: Encryption?

    /// The header's bytes, up to its tag where the data are encrypted.
    var bytes: [UInt8] {
        let name = Array(owner.name.utf8)
        var bytes = ProtectionFormat.magic
        bytes += [ProtectionFormat.version, encryption == nil ? 2 : 1]
        bytes += [UInt8(name.count >> 8), UInt8(name.count & 0xFF)]
        bytes += name
        if let encryption {
            bytes += [ProtectionFormat.suite, encryption.segmentSize.exponent]
            bytes += encryption.keyID.bytes
            bytes += encryption.salt
            bytes += encryption.keyCheck
        }
        return bytes
    }
}

extension ProtectionHeader {
    /// The kind of data that some bytes are the start of.
    enum Start: Equatable {
        /// Not protected, and not with more bytes either.
        case foreign
        /// Too few bytes to tell, or to read the header; `isOurs` once they begin as protected data do.
        case unfinished(isOurs: Bool)
        /// A header of so many bytes, without its tag.
        case header(ProtectionHeader, length: Int)
    }

    /// Reads a header from the first bytes of data.
    ///
    /// - Throws: ``DataProtectionError`` where the bytes are ours, but no header that this version reads.
    static func start(of bytes: UnsafeRawBufferPointer) throws(DataProtectionError) -> Start {
        let magic = ProtectionFormat.magic
        guard zip(bytes, magic).allSatisfy(==) else { return .foreign }
        guard bytes.count >= magic.count else { return .unfinished(isOurs: false) }
        guard bytes.count > magic.count else { return .unfinished(isOurs: true) }
        let version = bytes[magic.count]
        guard version <= ProtectionFormat.version else { throw .futureVersion(version) }
        guard version == ProtectionFormat.version else { throw .malformedHeader("it has the version \(version)") }
        guard bytes.count >= ProtectionFormat.fixedLength else { return .unfinished(isOurs: true) }
        let kind = bytes[magic.count + 1]
        guard kind == 1 || kind == 2 else { throw .malformedHeader("it has the kind \(kind)") }
        let nameLength = Int(bytes[magic.count + 2]) << 8 | Int(bytes[magic.count + 3])
        guard nameLength <= Identity.maximumNameLength else {
            throw .malformedHeader("its name has \(nameLength) bytes")
        }
        var reader = HeaderReader(bytes: bytes, position: ProtectionFormat.fixedLength)
        let length = reader.position + nameLength + (kind == 1 ? ProtectionFormat.encryptedLength : 0)
        guard bytes.count >= length else { return .unfinished(isOurs: true) }
        let owner = try owner(named: reader.take(nameLength), isClaim: kind == 2)
        var header = ProtectionHeader(owner: owner, encryption: nil)
        if kind == 1 { header.encryption = try encryption(&reader) }
        return .header(header, length: length)
    }

    private static func owner(
        named name: UnsafeRawBufferPointer,
        isClaim: Bool
    ) throws(DataProtectionError) -> Identity {
        if name.isEmpty {
            guard isClaim else { throw .malformedHeader("encrypted data have no owner") }
            return .nobody
        }
        do throws(IdentityError) { return try Identity(utf8: name) } catch {
            throw .malformedHeader("its name is none: \(error)")
        }
    }

    private static func encryption(_ reader: inout HeaderReader) throws(DataProtectionError) -> Encryption {
        let parameters = reader.take(2)
        guard parameters[0] == ProtectionFormat.suite else {
            throw .malformedHeader("it has the cipher suite \(parameters[0])")
        }
        guard let size = SegmentSize(exponent: parameters[1]) else {
            throw .malformedHeader("its segments have 2^\(parameters[1]) bytes")
        }
        guard let id = IdentityKeyID(bytes: reader.take(IdentityKeyID.length)) else {
            throw .malformedHeader("it has no key's id")
        }
        let salt = Array(reader.take(ProtectionFormat.saltLength))
        return Encryption(
            segmentSize: size,
            keyID: id,
            salt: salt,
            keyCheck: Array(reader.take(IdentityKey.checkLength))
        )
    }
}

/// Takes bytes one part after the other, which the caller has seen to be there.
private struct HeaderReader {
    let bytes: UnsafeRawBufferPointer
    var position: Int

    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        defer { position += count }
        return bytes.part(position..<position + count)
    }
}
