import Testing

@testable import MultiIdentityProtection

@Suite("A segment's nonce") struct SegmentNonceTests {
    @Test("has the message's bytes, the segment's number, and whether it is the last one", arguments: [true, false])
    func bytes(_ isLast: Bool) {
        let prefix: UInt64 = 0xA1A2_A3A4_A5A6_A700
        for (segment, bytes) in [
            (UInt32(0), [UInt8](repeating: 0, count: 4)), (1, [0, 0, 0, 1]), (0x0102_0304, [1, 2, 3, 4]),
            (UInt32.max, [0xFF, 0xFF, 0xFF, 0xFF]),
        ] {
            let nonce = SegmentNonce(prefix: prefix, segment: segment, isLast: isLast).withBytes { Array($0) }
            #expect(nonce == [0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7] + bytes + [isLast ? 1 : 0])
        }
    }
}
