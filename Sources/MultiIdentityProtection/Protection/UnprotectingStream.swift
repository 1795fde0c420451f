public import MultiIdentity

/// Unprotects data that arrive in pieces, in constant memory.
///
/// All output is authenticated, but the data are known to be complete only when ``finish()`` has returned; until then,
/// do nothing that cannot be undone. If no owner is expected, data that were never protected pass through, as in
/// ``DataProtection/unprotectIfProtected(_:)``.
public struct UnprotectingStream: ~Copyable, Sendable {
    private enum Phase { case header, plain, encrypted, failed }

    private let protection: DataProtection
    private let expected: Identity?
    private var phase = Phase.header
    private var start: [UInt8] = []
    private var opener: SegmentOpener?

    init(_ protection: DataProtection, expecting expected: Identity?) {
        self.protection = protection
        self.expected = expected
    }

    /// The information in the header, once enough bytes have arrived; `nil` before, and for data that were never
    /// protected.
    public private(set) var info: ProtectionInfo?

    /// Adds the next bytes, and returns the original bytes authenticated by them, which is often none.
    ///
    /// - Parameter bytes: The next piece, of any size.
    /// - Returns: Authentic bytes that follow the earlier output.
    /// - Throws: ``ProtectionError``; the stream then accepts no more, and its output must be discarded.
    public mutating func push(_ bytes: [UInt8]) throws(ProtectionError) -> [UInt8] {
        let before = phase
        phase = .failed
        let text: [UInt8]
        (text, phase) = try bytes.span.bytes.withUnsafeBytes { (bytes) throws(ProtectionError) in
            switch before {
            case .header: try begin(with: bytes)
            case .plain: (Array(bytes), .plain)
            case .encrypted: (try open(bytes), .encrypted)
            case .failed: throw .finished
            }
        }
        return text
    }

    /// Ends the data, and returns their last bytes; only now are they known to be complete.
    ///
    /// - Throws: ``ProtectionError``; with `.truncated` if the end is missing.
    public consuming func finish() throws(ProtectionError) -> [UInt8] {
        switch phase {
        case .plain: return []
        case .failed: throw .finished
        case .header:
            // Too little for a header: cut off, or foreign.
            guard let expected else { return try protection.unprotectIfProtected(start) }
            return try protection.unprotect(start, expecting: expected)
        case .encrypted:
            guard let opener = opener.take() else { throw .finished }
            return try opener.finish()
        }
    }

    private mutating func open(_ bytes: UnsafeRawBufferPointer) throws(ProtectionError) -> [UInt8] {
        guard var opener = opener.take() else { throw .finished }
        let text = try opener.push(bytes)
        self.opener = consume opener
        return text
    }

    private mutating func begin(
        with bytes: UnsafeRawBufferPointer
    ) throws(ProtectionError) -> ([UInt8], Phase) {
        // At most the length of a header; the rest is not copied.
        let taken = min(bytes.count, ProtectionFormat.maximumHeaderLength - start.count)
        start += bytes.part(0..<taken)
        let rest = bytes.part(taken..<bytes.count)
        let found = try start.span.bytes.withUnsafeBytes { (start) throws(ProtectionError) in
            try ProtectionHeader.start(of: start)
        }
        switch found {
        case .unfinished: return ([], .header)
        case .foreign:
            if let expected { throw .notProtected(expecting: expected) }
            return (take(from: 0) + rest, .plain)
        case .header(let header, let length):
            guard let encryption = header.encryption else {
                try protection.admitClaim(of: header.owner, expecting: expected)
                info = ProtectionInfo(owner: header.owner, form: .claimed)
                return (take(from: length) + rest, .plain)
            }
            let owner = protection.owner(of: header)
            if let expected, expected != owner { throw .otherOwner(owner, expecting: expected) }
            let end = length + ProtectionFormat.headerTagLength
            guard start.count >= end else { return ([], .header) }
            let cipher = try start.span.bytes.withUnsafeBytes { (start) throws(ProtectionError) in
                try protection.open(encryption, of: owner, header: start.part(0..<end))
            }
            info = ProtectionInfo(owner: owner, form: .encrypted(with: encryption.keyID))
            opener = SegmentOpener(cipher, in: encryption.segmentSize)
            let behind = take(from: end)
            let first = try behind.span.bytes.withUnsafeBytes { (behind) throws(ProtectionError) in
                try open(behind)
            }
            return (try first + open(rest), .encrypted)
        }
    }

    /// Returns the buffered bytes from an index on; no header is expected any more.
    private mutating func take(from index: Int) -> [UInt8] {
        defer { start = [] }
        return Array(start[index...])
    }
}

extension DataProtection {
    /// Begins to unprotect data that arrive in pieces; data that were never protected pass through unchanged.
    ///
    /// - Returns: The stream.
    public func unprotectingStreamIfProtected() -> UnprotectingStream { UnprotectingStream(self, expecting: nil) }

    /// Begins to unprotect an identity's encrypted data that arrive in pieces, and refuses all others.
    ///
    /// - Parameter identity: The identity that the data must be encrypted for, with a key of its own.
    /// - Returns: The stream.
    public func unprotectingStream(expecting identity: Identity) -> UnprotectingStream {
        UnprotectingStream(self, expecting: identity)
    }
}
