/// The 64-bit FNV-1a hash: unlike `Hasher`, the same in every process.
struct FNV1a {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func combine(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    /// Combines the bytes of `number`, lowest first.
    mutating func combine(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { combine(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }

    /// Combines the text and its length, so that different pairs of texts give different input.
    mutating func combine(_ text: String) {
        for byte in text.utf8 { combine(byte) }
        combine(UInt64(text.utf8.count))
    }
}
