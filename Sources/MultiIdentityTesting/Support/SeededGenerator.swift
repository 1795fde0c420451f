/// SplitMix64 (Steele, Lea and Flood, 2014): the same seed gives the same numbers on every machine and with every compiler.
///
/// It is `@_spi`: only this repository's tests and programs use it.
@_spi(Checks) public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator with a seed.
    public init(seed: UInt64) { state = seed }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to `bound`, which is far below 2^32, so that the bias of the remainder does not matter.
    public mutating func below(_ bound: Int) -> Int { Int(next() >> 32) % bound }
}
