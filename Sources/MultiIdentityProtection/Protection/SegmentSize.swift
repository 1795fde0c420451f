/// The number of bytes of a message that are encrypted at once: a power of two from 4 KiB to 1 MiB.
///
/// Larger segments take more memory; smaller ones more tags, of 16 bytes, and more time for each.
struct SegmentSize: Hashable, Sendable {
    let exponent: UInt8

    init?(exponent: UInt8) {
        guard (12...20).contains(exponent) else { return nil }
        self.exponent = exponent
    }

    private init(known exponent: UInt8) { self.exponent = exponent }

    static let kibibytes4 = SegmentSize(known: 12)
    static let kibibytes64 = SegmentSize(known: 16)
    static let mebibyte = SegmentSize(known: 20)

    /// In bytes, of plaintext.
    var byteCount: Int { 1 << exponent }

    /// In bytes, with its tag.
    var sealedByteCount: Int { byteCount + AESGCM.tagLength }

    /// Returns the number of segments of a text of so many bytes: at least one; the last is empty only for no text.
    func segmentCount(for byteCount: Int) -> Int { byteCount == 0 ? 1 : (byteCount - 1) / self.byteCount + 1 }
}
