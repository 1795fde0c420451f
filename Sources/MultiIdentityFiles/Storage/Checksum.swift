/// CRC-32 as in ISO/IEC 13239 and gzip: detects accidental damage, not forgery.
package struct Checksum: Sendable {
    /// The first 256 are for one byte; each further 256 for one with another byte behind it.
    ///
    /// Eight bytes at once are read several times as fast (source: Kounavis and Berry, A Systematic Approach to Building High
    /// Performance Software-based CRC Generators, 2005: slicing by 8).
    private static let table: [UInt32] = {
        var table: [UInt32] = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ sum >> 1 }
        }
        for index in 256..<8 * 256 {
            let before = table[index - 256]
            table.append(table[Int(before & 0xFF)] ^ before >> 8)
        }
        return table
    }()

    private var sum: UInt32 = 0xFFFF_FFFF

    package init() {}

    /// The checksum of some bytes.
    package init(of bytes: some Sequence<UInt8>) { update(with: bytes) }

    package mutating func update(with bytes: some Sequence<UInt8>) {
        let table = Self.table
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { bytes in
            table.withUnsafeBufferPointer { update(with: UnsafeRawBufferPointer(bytes), $0) }
        }
        if isDone != nil { return }
        table.withUnsafeBufferPointer { for byte in bytes { add(byte, $0) } }
    }

    // Each index is a byte plus a multiple of 256 below 2,048, and the table has 2,048 entries.
    private mutating func add(_ byte: UInt8, _ table: UnsafeBufferPointer<UInt32>) {
        sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8
    }

    private mutating func update(with bytes: UnsafeRawBufferPointer, _ table: UnsafeBufferPointer<UInt32>) {
        var start = 0
        while bytes.count - start >= 8 {
            // Eight bytes are left.
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)) ^ UInt64(sum)
            var next: UInt32 = 0
            for place in 0..<8 { next ^= table[(7 - place) * 256 + Int(word >> (8 * UInt64(place)) & 0xFF)] }
            sum = next
            start += 8
        }
        for byte in bytes[start...] { add(byte, table) }
    }

    package var value: UInt32 { ~sum }
}
