import Synchronization
import Testing

@testable import MultiIdentityBenchmarking

@Suite("A measurement of invalid input") struct BadInputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let what: String
        /// The text that the message must contain.
        let says: String
        let measure: @Sendable () throws -> Void
        var testDescription: String { what }
    }

    private static func comparison(
        _ names: [String] = ["raw"],
        against baseline: String = "raw",
        name: String = "hop",
        rounds: Int = 1
    ) throws -> HopComparison {
        try .madeUp(name, of: names.map { .body($0) {} }, against: baseline, rounds: rounds)
    }

    static let cases = [
        Case(what: "no variant", says: "no variant \"raw\" to compare with") { _ = try comparison([]) },
        Case(what: "no baseline", says: "no variant \"plain\" to compare with") {
            _ = try comparison(against: "plain")
        },
        Case(what: "a name twice", says: "\"raw\" is the name of two variants") { _ = try comparison(["raw", "raw"]) },
        Case(what: "an empty name", says: "A variant has an empty name") { _ = try comparison(["raw", ""]) },
        Case(what: "a comparison without a name", says: "A comparison has an empty name") {
            _ = try comparison(name: "")
        },
        Case(what: "no gauge", says: "hop has no gauge") { _ = try comparison().run(measuring: []) },
        Case(what: "a gauge twice", says: "\"time\" is the name of two gauges") {
            _ = try comparison().run(measuring: [.time(), .time()])
        },
        Case(what: "a margin below nothing", says: "the margin of time is -0.1;") {
            _ = try comparison().run(measuring: [.time(margin: -0.1)])
        },
        Case(what: "a margin that is no number", says: "the margin of time is nan;") {
            _ = try comparison().run(measuring: [.time(margin: .nan)])
        },
        Case(what: "no hops", says: "hopsPerBlock is 0; pass a number from 1 to 100000000.") {
            _ = try HopComparison("hop", of: [.body("raw") {}], against: "raw", hopsPerBlock: 0)
        },
        Case(what: "no rounds", says: "rounds is 0; pass a number from 1 to 1000000.") {
            _ = try comparison(rounds: 0)
        },
        Case(what: "rounds below nothing", says: "rounds is -5;") { _ = try comparison(rounds: -5) },
        Case(what: "a scope that runs nothing", says: "The scope around raw did not run") {
            let variant = HopVariant.body("raw") {}.within { _ in }
            _ = try HopComparison.madeUp("hop", of: [variant], against: "raw").run()
        },
        Case(what: "a gauge that runs backwards", says: "countdown went from 0 to -") {
            let count = Atomic(0)
            _ = try comparison().run(measuring: [.count("countdown") { count.subtract(1, ordering: .relaxed).newValue }]
            )
        },
    ]

    @Test("is an error that names the wrong value", arguments: cases)
    func error(_ given: Case) throws {
        let error = try #require(throws: BenchmarkingError.self) { try given.measure() }
        #expect(error.message.contains(given.says), "\(error)")
        #expect(error.description == error.message)
    }
}
