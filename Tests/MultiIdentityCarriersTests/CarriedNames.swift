@_spi(Checks) import MultiIdentityTesting

/// Random names with any valid characters, from a seed.
struct CarriedNames {
    private static let marks = Array("%,;=\"\\+ @-._~&#?/:é\u{301}ßİ%".unicodeScalars)
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Some are not valid: `Identity` decides that.
    mutating func next() -> String {
        var name = String.UnicodeScalarView()
        for _ in 0...below(below(32) == 0 ? 300 : 12) { name.append(scalar()) }
        return String(name)
    }

    private mutating func scalar() -> Unicode.Scalar {
        switch below(4) {
        case 0: Unicode.Scalar(UInt8(0x20 + below(0x5F)))
        case 1: Self.marks[below(Self.marks.count)]
        case 2: Unicode.Scalar(UInt32(0xA0 + below(0xD800 - 0xA0))) ?? " "
        default: Unicode.Scalar(UInt32(below(0x11_0000))) ?? "a"
        }
    }

    mutating func below(_ limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }
}
