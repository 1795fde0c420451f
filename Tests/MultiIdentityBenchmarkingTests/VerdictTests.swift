import Testing

@testable import MultiIdentityBenchmarking

@Suite("A verdict") struct VerdictTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let lower, estimate, upper: Double
        let verdict: Verdict
        var testDescription: String { "\(estimate) from \(lower) to \(upper)" }
    }

    static let ratios = [
        Case(lower: 0.79, estimate: 0.80, upper: 0.81, verdict: .cheaper),
        Case(lower: 1.25, estimate: 1.30, upper: 1.32, verdict: .dearer),
        Case(lower: 0.99, estimate: 1.00, upper: 1.01, verdict: .same(within: 0.02)),
        Case(lower: 1.005, estimate: 1.01, upper: 1.015, verdict: .same(within: 0.02)),  // clear of 1, yet small
        Case(lower: 0.90, estimate: 1.00, upper: 1.10, verdict: .noVerdict),
        Case(lower: 0.99, estimate: 1.05, upper: 1.11, verdict: .noVerdict),  // may be the same
        Case(lower: 1.01, estimate: 1.05, upper: 1.09, verdict: .noVerdict),  // clear of 1, but wider than the effect
        Case(lower: 0.91, estimate: 0.95, upper: 0.99, verdict: .noVerdict),
    ]

    @Test("on a ratio weighs the effect against the noise", arguments: ratios)
    func ofRatio(_ given: Case) {
        let interval = Interval(estimate: given.estimate, lower: given.lower, upper: given.upper)
        #expect(Verdict(ofRatio: interval, margin: 0.02) == given.verdict)
    }

    static let differences = [
        Case(lower: 0, estimate: 0, upper: 0, verdict: .same(within: 0)),
        Case(lower: 2, estimate: 2, upper: 2, verdict: .dearer),
        Case(lower: -1, estimate: -1, upper: -1, verdict: .cheaper),
        Case(lower: 0, estimate: 1, upper: 1, verdict: .noVerdict),
        Case(lower: 0.5, estimate: 1, upper: 2, verdict: .noVerdict),
    ]

    @Test("on a difference does the same", arguments: differences)
    func ofDifference(_ given: Case) {
        let interval = Interval(estimate: given.estimate, lower: given.lower, upper: given.upper)
        #expect(Verdict(ofDifference: interval) == given.verdict)
    }

    @Test("without a margin is equality only if nothing differs")
    func exact() {
        let one = Interval(estimate: 1, lower: 1, upper: 1)
        let more = Interval(estimate: 1.001, lower: 1.001, upper: 1.001)
        #expect(Verdict(ofRatio: one, margin: 0) == .same(within: 0))
        #expect(Verdict(ofRatio: more, margin: 0) == .dearer)
    }

    @Test("is expressed in words")
    func words() {
        let all: [Verdict] = [.cheaper, .dearer, .same(within: 0.02), .same(within: 0), .noVerdict]
        #expect(all.map(\.description) == ["cheaper", "dearer", "same within 2 %", "same", "no verdict"])
    }
}
