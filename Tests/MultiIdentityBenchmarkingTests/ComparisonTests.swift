import Synchronization
import Testing

@testable import MultiIdentityBenchmarking

@Suite("A comparison of variants in synthetic series") struct ComparisonTests {
    private static func verdict(
        _ one: (mean: Double, noise: Double),
        _ other: (mean: Double, noise: Double),
        drift: Double = 0,
        seed: UInt64
    ) throws -> HopReport.Line {
        let clock = ManualClock()
        let base = MadeUpHop(clock, mean: one.mean, noise: one.noise, drift: drift, seed: seed)
        let hop = MadeUpHop(clock, mean: other.mean, noise: other.noise, drift: drift, seed: seed &+ 1_000)
        let variants = [base.variant("raw"), hop.variant("other")]
        let comparison = try HopComparison.madeUp("made up", of: variants, against: "raw", seed: seed)
        return try #require(try comparison.run(measuring: [.time(on: clock)]).line(of: "other"))
    }

    @Test("finds an existing effect", arguments: [(800.0, Verdict.cheaper), (1_200, .dearer)], 0..<5)
    func effect(_ expected: (mean: Double, verdict: Verdict), _ seed: UInt64) throws {
        let line = try Self.verdict((1_000, 0.05), (expected.mean, 0.05), seed: seed)
        let ratio = try #require(line.ratio)
        #expect(line.verdict == expected.verdict)
        #expect(abs(ratio.estimate - expected.mean / 1_000) < 0.03)
        #expect(ratio.lower <= expected.mean / 1_000 + 0.02 && expected.mean / 1_000 - 0.02 <= ratio.upper)
    }

    @Test("finds none in noise, except in rare runs")
    func noise() throws {
        let verdicts = try (0..<30).map { try Self.verdict((1_000, 0.5), (1_000, 0.5), seed: $0).verdict }
        #expect(verdicts.count { $0 != .noVerdict } <= 1)
    }

    @Test("finds none, or equality, if the variants are identical", arguments: 0..<20)
    func oneAndTheSame(_ seed: UInt64) throws {
        let verdict = try Self.verdict((1_000, 0.03), (1_000, 0.03), seed: seed).verdict
        #expect(verdict == .noVerdict || verdict == .same(within: 0.02))
    }

    @Test("finds equality if they hardly differ")
    func same() throws {
        #expect(try Self.verdict((1_000, 0.01), (1_005, 0.01), seed: 1).verdict == .same(within: 0.02))
    }

    @Test("compares within a round, so that a machine that slows down favours no variant")
    func drift() throws {
        let line = try Self.verdict((1_000, 0.01), (1_100, 0.01), drift: 0.2, seed: 1)
        #expect(percentile(1, of: line.blocks) > 5 * percentile(0, of: line.blocks))
        #expect(line.verdict == .dearer)
        #expect(abs(try #require(line.ratio).estimate - 1.1) < 0.02)
    }

    @Test("gives no verdict on time from too few rounds")
    func tooFew() throws {
        let clock = ManualClock()
        let one = MadeUpHop(clock, mean: 1_000, noise: 0, seed: 1)
        let two = MadeUpHop(clock, mean: 2_000, noise: 0, seed: 2)
        let variants = [one.variant("raw"), two.variant("twice")]
        for (rounds, verdict) in [(5, Verdict.noVerdict), (6, .dearer)] {
            let report = try HopComparison.madeUp("few", of: variants, against: "raw", rounds: rounds)
                .run(measuring: [.time(on: clock)])
            #expect(report.line(of: "twice")?.verdict == verdict)
        }
    }
}
