import Synchronization
import Testing

@testable import MultiIdentityBenchmarking

@Suite("A comparison of counts") struct CountingTests {
    private static func report(_ counts: [(name: String, hop: Int)], rounds: Int = 1) throws -> HopReport {
        let total = Counter()
        let variants = counts.map { count in HopVariant.body(count.name) { total.add(count.hop) } }
        return try HopComparison.madeUp("counts", of: variants, against: counts[0].name, rounds: rounds)
            .run(measuring: [.count("allocations") { total.value }, .time()])
    }

    private final class Counter: Sendable {
        private let total = Atomic(0)
        var value: Int { total.load(ordering: .relaxed) }
        func add(_ count: Int) { total.add(count, ordering: .relaxed) }
    }

    @Test("gives more or less after one round", arguments: [(4, Verdict.dearer), (1, .cheaper), (2, .same(within: 0))])
    func exact(_ count: Int, _ verdict: Verdict) throws {
        let line = try #require(
            try Self.report([("raw", 2), ("other", count)]).line(of: "other", gauge: "allocations")
        )
        #expect(line.verdict == verdict)
        #expect(line.ratio == Interval(estimate: Double(count) / 2, lower: Double(count) / 2, upper: Double(count) / 2))
        #expect(line.difference?.estimate == Double(count - 2))
        #expect(line.floor == 0)
    }

    @Test(
        "distinguishes a count from a baseline of zero by the difference",
        arguments: [(0, Verdict.same(within: 0)), (3, .dearer)]
    )
    func zero(_ count: Int, _ verdict: Verdict) throws {
        let line = try #require(
            try Self.report([("raw", 0), ("other", count)]).line(of: "other", gauge: "allocations")
        )
        #expect(line.ratio == nil)
        #expect(line.difference?.estimate == Double(count))
        #expect(line.verdict == verdict)
    }

    @Test("reads them in the same run as the time")
    func several() throws {
        let report = try Self.report([("raw", 1), ("other", 1)], rounds: 8)
        #expect(report.lines.map(\.gauge) == ["allocations", "allocations", "time", "time"])
        #expect(report.line(of: "other")?.unit == "ns")
        #expect(report.line(of: "other", gauge: "carats") == nil)
    }
}
