/// CRC-32 as in ISO/IEC 13239 and gzip: tells damage by chance, not forgery.
package struct Checksum: Sendable {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ sum >> 1 }
    }

    private var sum: UInt32 = 0xFFFF_FFFF

    package init() {}

    /// The checksum of some bytes.
    package init(of bytes: some Sequence<UInt8>) { update(with: bytes) }

    package mutating func update(with bytes: some Sequence<UInt8>) {
        let table = Self.table
        for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
    }

    package var value: UInt32 { ~sum }
}
