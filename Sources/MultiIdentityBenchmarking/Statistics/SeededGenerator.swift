/// SplitMix64: the same seed draws the same on every machine and with every compiler.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to `bound`, which is far below 2^32: the bias of the remainder does not matter here.
    mutating func below(_ bound: Int) -> Int { Int(next() >> 32) % bound }

    /// Not the standard library's shuffle, which may draw otherwise in another release.
    mutating func shuffle<Element>(_ elements: inout [Element]) {
        for index in elements.indices.dropFirst().reversed() { elements.swapAt(index, below(index + 1)) }
    }
}
