extension HopComparison {
    /// Everything that runs: the floor, and the variants after it.
    private var contenders: [HopVariant] { [.floor] + variants }

    /// Makes all rounds, and gives what was read, for the floor first and then for each variant.
    func rounds(
        _ gauges: [HopGauge],
        _ progress: (HopProgress) -> Void
    ) throws(BenchmarkingError) -> [HopSamples] {
        let contenders = contenders
        var samples = contenders.map { HopSamples(of: $0.phases, gauges: gauges.count, rounds: options.rounds) }
        var readings = HopReadings(gauges)
        var order = Array(contenders.indices)
        var generator = SeededGenerator(seed: options.seed)
        var teller = ProgressTeller(name, rounds: options.warmUps + options.rounds)
        for round in 0..<options.warmUps + options.rounds {
            generator.shuffle(&order)
            for index in order {
                readings.reset()
                contenders[index].run(options.hopsPerBlock, into: &readings)
                try check(readings, of: contenders[index], gauges)
                if round >= options.warmUps { samples[index].append(readings, hops: options.hopsPerBlock) }
            }
            teller.tell(round + 1, progress)
        }
        return samples
    }

    private func check(
        _ readings: HopReadings,
        of variant: HopVariant,
        _ gauges: [HopGauge]
    ) throws(BenchmarkingError) {
        guard readings.isComplete else {
            throw BenchmarkingError(
                .blockDidNotRun,
                "The scope around \(variant.name) did not run its block. Have it call what it is given, once, before it returns."
            )
        }
        for (index, gauge) in gauges.enumerated() {
            for phase in [HopPhase.enqueue, .drain] where readings.difference(of: index, in: phase) < 0 {
                throw BenchmarkingError(
                    .gaugeRanBackwards,
                    """
                    \(gauge.name) went from 0 to \(readings.difference(of: index, in: phase)) in a block of \
                    \(variant.name). Give a gauge that only grows.
                    """
                )
            }
        }
    }
}

/// Tells of progress, but not too often.
private struct ProgressTeller {
    private let name: String
    private let rounds: Int
    private let start = ContinuousClock.now
    private var latest = ContinuousClock.now

    init(_ name: String, rounds: Int) {
        self.name = name
        self.rounds = rounds
    }

    mutating func tell(_ round: Int, _ progress: (HopProgress) -> Void) {
        let now = ContinuousClock.now
        if round < rounds, now - latest < .seconds(1) { return }
        latest = now
        progress(HopProgress(comparison: name, round: round, rounds: rounds, elapsed: now - start))
    }
}
