import Testing

@_spi(Checks) @testable import MultiIdentityBenchmarking

@Suite("The interval of a median") struct PercentileBootstrapTests {
    private static func series(_ count: Int, seed: UInt64) -> [Double] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Double(generator.below(1_001)) }
    }

    @Test("is the same for the same seed, and another for another")
    func seeded() {
        let values = Self.series(40, seed: 1)
        let one = PercentileBootstrap(resamples: 300, confidence: 0.95, seed: 5)
        let other = PercentileBootstrap(resamples: 300, confidence: 0.95, seed: 6)
        #expect(one.interval(ofMedianOf: values) == one.interval(ofMedianOf: values))
        #expect(one.interval(ofMedianOf: values) != other.interval(ofMedianOf: values))
    }

    @Test("holds the estimate, and grows with the confidence")
    func grows() {
        let values = Self.series(40, seed: 2)
        let narrow = PercentileBootstrap(resamples: 500, confidence: 0.5, seed: 1).interval(ofMedianOf: values)
        let wide = PercentileBootstrap(resamples: 500, confidence: 0.99, seed: 1).interval(ofMedianOf: values)
        #expect(narrow.lower <= narrow.estimate && narrow.estimate <= narrow.upper)
        #expect(wide.lower < narrow.lower && narrow.upper < wide.upper)
    }

    @Test("narrows with more figures")
    func narrows() {
        let bootstrap = PercentileBootstrap(resamples: 300, confidence: 0.95, seed: 1)
        let few = bootstrap.interval(ofMedianOf: Self.series(20, seed: 3))
        let many = bootstrap.interval(ofMedianOf: Self.series(500, seed: 3))
        #expect(many.width < few.width / 2)
    }

    @Test("has no width where all figures are one")
    func exact() {
        let interval = PercentileBootstrap(resamples: 100, confidence: 0.95, seed: 1).interval(ofMedianOf: [2, 2, 2])
        #expect(interval == Interval(estimate: 2, lower: 2, upper: 2))
    }

    @Test("covers the true median about as often as it says")
    func coverage() {
        let covered = (0..<100).filter { seed in
            let interval = PercentileBootstrap(resamples: 200, confidence: 0.95, seed: UInt64(seed))
                .interval(ofMedianOf: Self.series(40, seed: UInt64(1_000 + seed)))
            return interval.lower <= 500 && 500 <= interval.upper
        }
        #expect((88...100).contains(covered.count))
    }
}
