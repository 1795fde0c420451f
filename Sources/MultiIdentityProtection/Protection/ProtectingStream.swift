public import MultiIdentity

/// Protects data that arrive in pieces, in constant memory.
///
/// ```swift
/// var stream = try protection.protectingStream(for: ada)
/// for piece in pieces { try output.write(stream.push(piece)) }
/// try output.write(stream.finish())
/// ```
///
/// It cannot be copied, since two continuations of one message would reuse a nonce. The output is complete only after
/// ``finish()``; without it, the data read as truncated.
public struct ProtectingStream: ~Copyable, Sendable {
    private var header: [UInt8]
    /// `nil` if the data are not encrypted, or after a failure.
    private var sealer: SegmentSealer?
    private let isEncrypting: Bool

    init(header: [UInt8], _ cipher: consuming MessageCipher?, in size: SegmentSize) {
        self.header = header
        if let cipher = consume cipher {
            sealer = SegmentSealer(cipher, in: size)
            isEncrypting = true
        } else {
            sealer = nil
            isEncrypting = false
        }
    }

    /// Adds the next bytes, and returns the output that is ready, which is often empty.
    ///
    /// - Parameter bytes: The next piece, of any size.
    /// - Returns: The next bytes of the output.
    /// - Throws: ``ProtectionError``; the stream then accepts no more, and its output is not valid.
    public mutating func push(_ bytes: [UInt8]) throws(ProtectionError) -> [UInt8] {
        let start = header
        header = []
        let pushed = try bytes.span.bytes.withUnsafeBytes { (bytes) throws(ProtectionError) in
            guard isEncrypting else { return Array(bytes) }
            // Taken out, so that it is gone after a failure.
            guard var sealer = sealer.take() else { throw .finished }
            let sealed = try sealer.push(bytes)
            self.sealer = consume sealer
            return sealed
        }
        return start.isEmpty ? pushed : start + pushed
    }

    /// Ends the data, and returns the last bytes of the output.
    ///
    /// - Throws: ``ProtectionError`` if an earlier call failed, or if encryption fails.
    public consuming func finish() throws(ProtectionError) -> [UInt8] {
        guard isEncrypting else { return header }
        guard let sealer = sealer.take() else { throw .finished }
        return try header + sealer.finish()
    }
}

extension DataProtection {
    /// Begins to protect data that arrive in pieces.
    ///
    /// - Parameter identity: The owner of the data.
    /// - Returns: The stream.
    /// - Throws: ``ProtectionError``; with `.revoked` if the identity is not admitted.
    public func protectingStream(for identity: Identity) throws(ProtectionError) -> ProtectingStream {
        var message = try begin(for: identity, in: segmentSize)
        return ProtectingStream(header: message.header, message.cipher.take(), in: segmentSize)
    }
}
