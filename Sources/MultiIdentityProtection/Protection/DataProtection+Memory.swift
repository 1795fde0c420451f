public import MultiIdentity
import MultiIdentityFiles

extension DataProtection {
    /// Protects data: encrypts a managed identity's, and puts a header that names it before an unmanaged one's.
    ///
    /// - Parameters:
    ///   - bytes: The data; of any size, for which there is memory.
    ///   - identity: The owner of the data. Nobody's are like an unmanaged identity's.
    /// - Returns: The data in protected form.
    /// - Throws: ``DataProtectionError``, with `.revoked` where the identity is not admitted.
    /// - Complexity: O(*n*); one allocation of the result's size.
    public func protect(_ bytes: [UInt8], for identity: Identity) throws(DataProtectionError) -> [UInt8] {
        try protect(bytes.span.bytes, for: identity)
    }

    /// Protects data that lie anywhere, as in a buffer or a part of an array; otherwise as ``protect(_:for:)-([UInt8],_)``.
    ///
    /// - Parameters:
    ///   - bytes: The data.
    ///   - identity: The owner of the data.
    /// - Returns: The data in protected form.
    /// - Throws: ``DataProtectionError``.
    public func protect(_ bytes: RawSpan, for identity: Identity) throws(DataProtectionError) -> [UInt8] {
        try bytes.withUnsafeBytes { (bytes) throws(DataProtectionError) in try protect(bytes, for: identity) }
    }

    /// Gives the original bytes of protected data, of any owner; data that were never protected come back unchanged.
    ///
    /// So it says nothing about who made the data: anybody who can replace them can do so by plain ones. Where they
    /// have to be an identity's own, use ``unprotect(_:expecting:)-([UInt8],_)``. This one is for reading what was stored
    /// before anything was protected.
    ///
    /// - Parameter bytes: Data in protected form, or any other.
    /// - Returns: What was protected.
    /// - Throws: ``DataProtectionError``, and nothing of the data.
    /// - Complexity: O(*n*).
    public func unprotectIfProtected(_ bytes: [UInt8]) throws(DataProtectionError) -> [UInt8] {
        try bytes.span.bytes.withUnsafeBytes { (memory) throws(DataProtectionError) in
            try unprotect(memory, expecting: nil, original: bytes)
        }
    }

    /// Gives the original bytes of protected data that lie anywhere; otherwise as
    /// ``unprotectIfProtected(_:)-([UInt8])``.
    ///
    /// - Parameter bytes: Data in protected form, or any other.
    /// - Returns: What was protected.
    /// - Throws: ``DataProtectionError``, and nothing of the data.
    public func unprotectIfProtected(_ bytes: RawSpan) throws(DataProtectionError) -> [UInt8] {
        try bytes.withUnsafeBytes { (bytes) throws(DataProtectionError) in
            try unprotect(bytes, expecting: nil, original: nil)
        }
    }

    /// Gives the original bytes of data that were encrypted for an identity, and refuses all others.
    ///
    /// - Parameters:
    ///   - bytes: Data in protected form.
    ///   - identity: The owner that the data have to be encrypted for, with a key of its own.
    /// - Returns: What was protected.
    /// - Throws: ``DataProtectionError``, and nothing of the data.
    /// - Complexity: O(*n*).
    public func unprotect(
        _ bytes: [UInt8],
        expecting identity: Identity
    ) throws(DataProtectionError) -> [UInt8] {
        try unprotect(bytes.span.bytes, expecting: identity)
    }

    /// Gives the original bytes of an identity's data that lie anywhere; else as ``unprotect(_:expecting:)-([UInt8],_)``.
    ///
    /// - Parameters:
    ///   - bytes: Data in protected form.
    ///   - identity: The owner that the data have to be encrypted for, with a key of its own.
    /// - Returns: What was protected.
    /// - Throws: ``DataProtectionError``, and nothing of the data.
    public func unprotect(_ bytes: RawSpan, expecting identity: Identity) throws(DataProtectionError) -> [UInt8] {
        try bytes.withUnsafeBytes { (bytes) throws(DataProtectionError) in
            try unprotect(bytes, expecting: identity, original: nil)
        }
    }

    private func protect(
        _ bytes: UnsafeRawBufferPointer,
        for identity: Identity
    ) throws(DataProtectionError) -> [UInt8] {
        var message = try begin(for: identity, in: wholeSegmentSize)
        let header = message.header
        guard var cipher = message.cipher.take() else { return header + bytes }
        return try Self.seal(bytes, header: header, with: &cipher, in: wholeSegmentSize)
    }

    static func seal(
        _ bytes: UnsafeRawBufferPointer,
        header: [UInt8],
        with cipher: inout MessageCipher,
        in size: SegmentSize
    ) throws(DataProtectionError) -> [UInt8] {
        let (end, tags) = (ProtectionFormat.end, size.segmentCount(for: bytes.count) * AESGCM.tagLength)
        let capacity = header.count + bytes.count + tags + end.count
        return try [UInt8](capacity: capacity) { (output) throws(DataProtectionError) in
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

    /// `original`: The bytes as an array, which is given back where they were never protected.
    private func unprotect(
        _ bytes: UnsafeRawBufferPointer,
        expecting expected: Identity?,
        original: [UInt8]?
    ) throws(DataProtectionError) -> [UInt8] {
        switch try ProtectionHeader.start(of: bytes) {
        case .foreign, .unfinished(isOurs: false):
            if let expected { throw .notProtected(expecting: expected) }
            return original ?? Array(bytes)
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
            return try [UInt8](capacity: sealed.count) { (output) throws(DataProtectionError) in
                try cipher.openAll(sealed, in: encryption.segmentSize, isEnd: true, into: output)
            }
        }
    }
}
