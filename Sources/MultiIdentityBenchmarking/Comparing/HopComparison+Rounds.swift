extension HopComparison {
    /// Everything that runs: the empty loop, and the variants after it.
    private var contenders: [HopVariant] { [.floor] + variants }

    /// Runs all rounds, and returns the readings, for the empty loop first and then for each variant.
    func samples(
        _ gauges: [HopGauge],
        _ progress: (String) -> Void
    ) throws(BenchmarkingError) -> [HopSamples] {
        let contenders = contenders
        var samples = contenders.map { HopSamples(of: $0.phases, gauges: gauges.count, rounds: rounds) }
        var readings = HopReadings(gauges)
        var order = Array(contenders.indices)
        var generator = SeededGenerator(seed: seed)
        var teller = ProgressTeller(name, rounds: warmUps + rounds)
        for round in 0..<warmUps + rounds {
            Self.shuffle(&order, with: &generator)
            for index in order {
                readings.reset()
                contenders[index].run(hopsPerBlock, into: &readings)
                try check(readings, of: contenders[index], gauges)
                if round >= warmUps { samples[index].append(readings, hops: hopsPerBlock) }
            }
            teller.notify(round + 1, progress)
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
                "The scope around \(variant.name) did not run its block. Call the block once before the scope returns."
            )
        }
        for (index, gauge) in gauges.enumerated() {
            for phase in [HopPhase.enqueue, .drain] where readings.difference(of: index, in: phase) < 0 {
                throw BenchmarkingError(
                    """
                    \(gauge.name) went from 0 to \(readings.difference(of: index, in: phase)) in a block of \
                    \(variant.name). Pass a gauge that only grows.
                    """
                )
            }
        }
    }

    /// Not the standard library's shuffle, which may differ in another release.
    private static func shuffle(_ order: inout [Int], with generator: inout SeededGenerator) {
        for index in order.indices.dropFirst().reversed() { order.swapAt(index, generator.below(index + 1)) }
    }
}
