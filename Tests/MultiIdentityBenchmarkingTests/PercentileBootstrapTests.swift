import Testing

@_spi(Checks) @testable import MultiIdentityBenchmarking

@Suite("The interval of a median") struct PercentileBootstrapTests {
    private static func series(_ count: Int, seed: UInt64) -> [Double] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Double(generator.below(1_001)) }
    }

    @Test("is equal for equal seeds, and different for different seeds")
    func seeded() {
        let values = Self.series(40, seed: 1)
        let one = PercentileBootstrap(resamples: 300, confidence: 0.95, seed: 5)
        let other = PercentileBootstrap(resamples: 300, confidence: 0.95, seed: 6)
        #expect(one.interval(ofMedianOf: values) == one.interval(ofMedianOf: values))
        #expect(one.interval(ofMedianOf: values) != other.interval(ofMedianOf: values))
    }

    @Test("covers the true median about as often as it claims")
    func coverage() {
        let covered = (0..<100).filter { seed in
            let interval = PercentileBootstrap(resamples: 200, confidence: 0.95, seed: UInt64(seed))
                .interval(ofMedianOf: Self.series(40, seed: UInt64(1_000 + seed)))
            return interval.lower <= 500 && 500 <= interval.upper
        }
        #expect((88...100).contains(covered.count))
    }
}
