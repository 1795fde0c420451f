/// Reports progress, but not too often.
struct ProgressTeller {
    private let name: String
    private let rounds: Int
    private let start = ContinuousClock.now
    private var latest = ContinuousClock.now

    init(_ name: String, rounds: Int) {
        self.name = name
        self.rounds = rounds
    }

    /// Reports a line such as `async: round 12 of 62, 3 s, about 12 s left`, about once a second and after the last round.
    mutating func notify(_ round: Int, _ progress: (String) -> Void) {
        let now = ContinuousClock.now
        if round < rounds, now - latest < .seconds(1) { return }
        latest = now
        let elapsed = now - start
        let remaining = elapsed / round * (rounds - round)
        progress(
            "\(name): round \(round) of \(rounds), \(elapsed.wholeSeconds) s, about \(remaining.wholeSeconds) s left"
        )
    }
}

extension Duration {
    fileprivate var wholeSeconds: Int64 {
        components.seconds + (components.attoseconds >= 500_000_000_000_000_000 ? 1 : 0)
    }
}
