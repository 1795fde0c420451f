import MultiIdentity

/// The cipher of one message: a message key, which encrypts its segments one after the other.
struct MessageCipher: ~Copyable, Sendable {
    private var cipher: AESGCM
    private let prefix: UInt64
    private var segment: UInt64

    /// The bytes that follow the header, and can only be made with the key.
    let headerTag: [UInt8]

    /// - Parameters:
    ///   - key: The identity's.
    ///   - salt: The message's, random.
    ///   - header: The bytes of the header, all of which the message's key depends on.
    ///   - direction: The direction that it is for.
    ///   - segment: The number of the first segment, for tests.
    /// - Throws: ``ProtectionError``.
    init(
        _ key: IdentityKey,
        salt: [UInt8],
        header: [UInt8],
        for direction: AESGCM.Direction,
        from segment: UInt64 = 0
    ) throws(ProtectionError) {
        let prefixEnd = AESGCM.keyLength + ProtectionFormat.noncePrefixLength
        let derived = try Derivation.secret(
            prefixEnd + ProtectionFormat.headerTagLength,
            from: key.secret,
            salt: salt,
            info: Derivation.info(Derivation.message, header)
        )
        self.init(
            try derived.withBytes { (bytes) throws(ProtectionError) in
                try AESGCM(key: bytes.part(0..<AESGCM.keyLength), for: direction)
            },
            prefix: derived.withBytes { $0[AESGCM.keyLength..<prefixEnd].reduce(0) { $0 << 8 | UInt64($1) } << 8 },
            headerTag: derived.withBytes { Array($0[prefixEnd...]) },
            from: segment
        )
    }

    private init(_ cipher: consuming AESGCM, prefix: UInt64, headerTag: [UInt8], from segment: UInt64) {
        self.cipher = cipher
        self.prefix = prefix
        self.headerTag = headerTag
        self.segment = segment
    }

    /// The number of segments that were handled.
    var segmentCount: UInt64 { segment }

    /// Encrypts the next segment; its tag is written after it.
    mutating func seal(
        _ text: UnsafeRawBufferPointer,
        isLast: Bool,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ProtectionError) {
        guard segment < ProtectionFormat.maximumSegmentCount else { throw .tooLarge }
        let nonce = SegmentNonce(prefix: prefix, segment: UInt32(truncatingIfNeeded: segment), isLast: isLast)
        try nonce.withBytes { (nonce) throws(ProtectionError) in try cipher.seal(text, nonce: nonce, into: output) }
        segment += 1
    }

    /// Decrypts the next segment, which its tag follows; on failure there is no output.
    mutating func open(
        _ sealed: UnsafeRawBufferPointer,
        isLast: Bool,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ProtectionError) {
        guard segment < ProtectionFormat.maximumSegmentCount else { throw .tooLarge }
        let nonce = SegmentNonce(prefix: prefix, segment: UInt32(truncatingIfNeeded: segment), isLast: isLast)
        // No text ends with an empty segment, unless it is empty.
        guard sealed.count > AESGCM.tagLength || isLast && segment == 0 else { throw .altered(segment: segment) }
        let isOurs = try nonce.withBytes { (nonce) throws(ProtectionError) in
            try cipher.open(sealed, nonce: nonce, into: output)
        }
        guard isOurs else { throw .altered(segment: segment) }
        segment += 1
    }
}

extension MessageCipher {
    /// Encrypts a text in segments, and returns how many bytes they take.
    ///
    /// `isEnd`: Whether the text ends here; else it is of whole segments, with more to come.
    mutating func sealAll(
        _ text: UnsafeRawBufferPointer,
        in size: SegmentSize,
        isEnd: Bool,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ProtectionError) -> Int {
        var (read, written) = (0, 0)
        while read < text.count || isEnd && read == 0 && written == 0 {
            let count = min(size.byteCount, text.count - read)
            try seal(
                text.part(read..<read + count),
                isLast: isEnd && read + count == text.count,
                into: output.part(written..<written + count + AESGCM.tagLength)
            )
            read += count
            written += count + AESGCM.tagLength
        }
        return written
    }

    /// Decrypts segments, and returns their length in bytes; on failure, the output contains all segments before.
    ///
    /// `isEnd`: Whether the last of them is the message's last; otherwise all are complete, and more follow.
    mutating func openAll(
        _ sealed: UnsafeRawBufferPointer,
        in size: SegmentSize,
        isEnd: Bool,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ProtectionError) -> Int {
        var (read, written) = (0, 0)
        while read < sealed.count {
            let count = min(size.sealedByteCount, sealed.count - read)
            let textCount = max(0, count - AESGCM.tagLength)
            try open(
                sealed.part(read..<read + count),
                isLast: isEnd && read + count == sealed.count,
                into: output.part(written..<written + textCount)
            )
            read += count
            written += textCount
        }
        return written
    }
}
