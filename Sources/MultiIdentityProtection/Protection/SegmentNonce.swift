/// The nonce of a segment: its position, and whether it is the last one.
///
/// 7 bytes of the message, the number of the segment in 4 bytes, big-endian, and 1 for the last one, otherwise 0: the
/// STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015).
struct SegmentNonce {
    /// The bytes in memory order, most significant first.
    private let bytes: (high: UInt64, low: UInt32)

    /// `prefix`: The message's bytes, ``ProtectionFormat/noncePrefixLength`` of them, and zero behind them.
    init(prefix: UInt64, segment: UInt32, isLast: Bool) {
        bytes = ((prefix | UInt64(segment >> 24)).bigEndian, (segment << 8 | (isLast ? 1 : 0)).bigEndian)
    }

    func withBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try withUnsafeBytes(of: bytes) { (bytes) throws(Failure) in try body(bytes.part(0..<AESGCM.nonceLength)) }
    }
}
