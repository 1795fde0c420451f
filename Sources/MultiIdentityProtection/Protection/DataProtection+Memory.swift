public import MultiIdentity
import MultiIdentityFiles

extension DataProtection {
    /// Protects data: encrypts data of a managed identity, and adds a header with the owner to other data.
    ///
    /// - Parameters:
    ///   - bytes: The data, of any size that fits into memory.
    ///   - identity: The owner of the data. Nobody is treated like an unmanaged identity.
    /// - Returns: The protected data.
    /// - Throws: ``ProtectionError``; with `.revoked` if the identity is not admitted.
    /// - Complexity: O(*n*); one allocation of the result's size.
    public func protect(_ bytes: [UInt8], for identity: Identity) throws(ProtectionError) -> [UInt8] {
        var message = try begin(for: identity, in: wholeSegmentSize)
        let header = message.header
        guard var cipher = message.cipher.take() else { return header + bytes }
        return try bytes.span.bytes.withUnsafeBytes { (bytes) throws(ProtectionError) in
            try Self.seal(bytes, header: header, with: &cipher, in: wholeSegmentSize)
        }
    }

    /// Returns the original bytes of protected data of any owner; data that were never protected are returned
    /// unchanged.
    ///
    /// This proves nothing about who made the data: anyone who can replace them can use plain data. If they must belong to
    /// an identity, use ``unprotect(_:expecting:)``. This method is for data stored before anything was protected.
    ///
    /// - Parameter bytes: Data, protected or not.
    /// - Returns: The original bytes.
    /// - Throws: ``ProtectionError`` if the data cannot be decrypted or were altered; no data are returned.
    /// - Complexity: O(*n*).
    public func unprotectIfProtected(_ bytes: [UInt8]) throws(ProtectionError) -> [UInt8] {
        try unprotect(bytes, expecting: nil)
    }

    /// Returns the original bytes of data that were encrypted for an identity, and refuses all others.
    ///
    /// - Parameters:
    ///   - bytes: The protected data.
    ///   - identity: The identity that the data must be encrypted for, with a key of its own.
    /// - Returns: The original bytes.
    /// - Throws: ``ProtectionError``; no data are returned.
    /// - Complexity: O(*n*).
    public func unprotect(_ bytes: [UInt8], expecting identity: Identity) throws(ProtectionError) -> [UInt8] {
        try unprotect(bytes, expecting: .some(identity))
    }

    static func seal(
        _ bytes: UnsafeRawBufferPointer,
        header: [UInt8],
        with cipher: inout MessageCipher,
        in size: SegmentSize
    ) throws(ProtectionError) -> [UInt8] {
        let (end, tags) = (ProtectionFormat.end, size.segmentCount(for: bytes.count) * AESGCM.tagLength)
        let capacity = header.count + bytes.count + tags + end.count
        return try [UInt8](capacity: capacity) { (output) throws(ProtectionError) in
            output.copyBytes(from: header)
            let count = try cipher.sealAll(
                bytes,
                in: size,
                isEnd: true,
                into: output.part(header.count..<capacity - end.count)
            )
            output.part(header.count + count..<capacity).copyBytes(from: end)
            return capacity
        }
    }

    private func unprotect(_ data: [UInt8], expecting expected: Identity?) throws(ProtectionError) -> [UInt8] {
        try data.span.bytes.withUnsafeBytes { (bytes) throws(ProtectionError) in
            switch try ProtectionHeader.start(of: bytes) {
            case .foreign, .unfinished(isOurs: false):
                if let expected { throw .notProtected(expecting: expected) }
                return data
            case .unfinished(isOurs: true): throw .cutOff
            case .header(let header, let length):
                guard let encryption = header.encryption else {
                    try admitClaim(of: header.owner, expecting: expected)
                    return Array(bytes.part(length..<bytes.count))
                }
                let owner = owner(of: header)
                if let expected, expected != owner { throw .otherOwner(owner, expecting: expected) }
                let (start, end) = (length + ProtectionFormat.headerTagLength, ProtectionFormat.end)
                guard bytes.count >= start else { throw .cutOff }
                var cipher = try open(encryption, of: owner, header: bytes.part(0..<start))
                let rest = bytes.part(start..<bytes.count)
                guard rest.count >= AESGCM.tagLength + end.count, rest.suffix(end.count).elementsEqual(end) else {
                    throw .cutOff
                }
                let sealed = rest.part(0..<rest.count - end.count)
                return try [UInt8](capacity: sealed.count) { (output) throws(ProtectionError) in
                    try cipher.openAll(sealed, in: encryption.segmentSize, isEnd: true, into: output)
                }
            }
        }
    }
}
