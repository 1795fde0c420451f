public import MultiIdentity

/// Protects data that come in pieces, in memory that does not grow with them.
///
/// ```swift
/// var stream = try protection.protectingStream(for: ada)
/// for piece in pieces { try output.write(stream.push(piece)) }
/// try output.write(stream.finish())
/// ```
///
/// It cannot be copied, since two continuations of one message would encrypt under one nonce. What is written is whole
/// only after ``finish()``: without it, the data read as cut off.
public struct ProtectingStream: ~Copyable, Sendable {
    private var header: [UInt8]
    /// `nil` where the identity is not managed.
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

    /// Takes the next bytes, and returns what can be written by now; often nothing.
    ///
    /// - Parameter bytes: The next piece, of any size.
    /// - Returns: The message's next bytes.
    /// - Throws: ``ProtectionError``; the stream then takes no more, and what was written is no message.
    public mutating func push(_ bytes: [UInt8]) throws(ProtectionError) -> [UInt8] {
        let start = header
        header = []
        let pushed = try bytes.span.bytes.withUnsafeBytes { (bytes) throws(ProtectionError) in
            guard isEncrypting else { return Array(bytes) }
            // Taken out, so that a failure leaves none.
            guard var sealer = sealer.take() else { throw .finished }
            let sealed = try sealer.push(bytes)
            self.sealer = consume sealer
            return sealed
        }
        return start.isEmpty ? pushed : start + pushed
    }

    /// Ends the message, and returns its last bytes.
    ///
    /// - Throws: ``ProtectionError``.
    public consuming func finish() throws(ProtectionError) -> [UInt8] {
        guard isEncrypting else { return header }
        guard let sealer = sealer.take() else { throw .finished }
        return try header + sealer.finish()
    }
}

extension DataProtection {
    /// Begins to protect data that come in pieces.
    ///
    /// - Parameter identity: The owner of the data.
    /// - Returns: The stream.
    /// - Throws: ``ProtectionError``, with `.revoked` where the identity is not admitted.
    public func protectingStream(for identity: Identity) throws(ProtectionError) -> ProtectingStream {
        var message = try begin(for: identity, in: segmentSize)
        return ProtectingStream(header: message.header, message.cipher.take(), in: segmentSize)
    }
}
