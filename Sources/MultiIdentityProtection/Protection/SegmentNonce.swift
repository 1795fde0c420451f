/// The nonce that a segment is encrypted under: where it stands, and whether it is the last one.
///
/// 7 bytes of the message's own, the number of the segment in 4, most significant first, and 1 for the last one, else 0:
/// the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015).
struct SegmentNonce {
    /// As they stand in memory, most significant byte first.
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
