/// How far a comparison has come.
public struct HopProgress: Sendable, Hashable {
    /// The name of the comparison.
    public let comparison: String
    /// How many rounds have been made, those to warm up included.
    public let round: Int
    /// How many there will be.
    public let rounds: Int
    /// The time since the start.
    public let elapsed: Duration

    /// The time that is left, if the rounds to come take as long as those before.
    public var remaining: Duration { round == 0 ? .zero : elapsed / round * (rounds - round) }
}

extension HopProgress: CustomStringConvertible {
    /// As `async: round 12 of 62, 3 s, about 12 s left`.
    public var description: String {
        "\(comparison): round \(round) of \(rounds), \(elapsed.wholeSeconds) s, about \(remaining.wholeSeconds) s left"
    }
}

extension Duration {
    fileprivate var wholeSeconds: Int64 {
        components.seconds + (components.attoseconds >= 500_000_000_000_000_000 ? 1 : 0)
    }
}
