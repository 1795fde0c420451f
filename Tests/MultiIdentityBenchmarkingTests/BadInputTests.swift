import Synchronization
import Testing

@testable import MultiIdentityBenchmarking

@Suite("What cannot be measured") struct BadInputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let what: String
        let code: BenchmarkingError.Code
        /// What the message has to name.
        let named: String
        let measure: @Sendable () throws -> Void
        var testDescription: String { what }
    }

    private static func comparison(
        _ names: [String] = ["raw"],
        against baseline: String = "raw",
        name: String = "hop",
        options: HopComparison.Options = .madeUp(rounds: 1)
    ) throws -> HopComparison {
        try HopComparison(name, of: names.map { .body($0) {} }, against: baseline, options: options)
    }

    private static func number(
        _ name: String,
        _ value: String,
        _ change: @escaping @Sendable (inout HopComparison.Options) -> Void
    ) -> Case {
        Case(what: "\(name) of \(value)", code: .numberOutOfRange, named: "\(name) is \(value);") {
            var options = HopComparison.Options.madeUp()
            change(&options)
            _ = try comparison(options: options)
        }
    }

    static let cases = [
        Case(what: "no variant", code: .noBaseline, named: "\"raw\"") { _ = try comparison([]) },
        Case(what: "no baseline", code: .noBaseline, named: "\"plain\"") { _ = try comparison(against: "plain") },
        Case(what: "a name twice", code: .nameTwice, named: "\"raw\"") { _ = try comparison(["raw", "raw"]) },
        Case(what: "an empty name", code: .emptyName, named: "variant") { _ = try comparison(["raw", ""]) },
        Case(what: "a comparison without a name", code: .emptyName, named: "comparison") {
            _ = try comparison(name: "")
        },
        Case(what: "no gauge", code: .noGauge, named: "hop") { _ = try comparison().run(measuring: []) },
        Case(what: "a gauge twice", code: .nameTwice, named: "\"time\"") {
            _ = try comparison().run(measuring: [.time(), .time()])
        },
        Case(what: "a margin below nothing", code: .numberOutOfRange, named: "the margin of time is -0.1;") {
            _ = try comparison().run(measuring: [.time(margin: -0.1)])
        },
        number("hopsPerBlock", "0") { $0.hopsPerBlock = 0 },
        number("hopsPerBlock", "-5") { $0.hopsPerBlock = -5 },
        number("rounds", "0") { $0.rounds = 0 },
        number("warmUps", "-1") { $0.warmUps = -1 },
        number("resamples", "99") { $0.resamples = 99 },
        number("confidence", "1") { $0.confidence = 1 },
        number("confidence", "nan") { $0.confidence = .nan },
        Case(what: "a scope that runs nothing", code: .blockDidNotRun, named: "raw") {
            let variant = HopVariant.body("raw") {}.within { _ in }
            _ = try HopComparison("hop", of: [variant], against: "raw", options: .madeUp()).run()
        },
        Case(what: "a gauge that runs backwards", code: .gaugeRanBackwards, named: "countdown") {
            let count = Atomic(0)
            _ = try comparison().run(measuring: [.count("countdown") { count.subtract(1, ordering: .relaxed).newValue }]
            )
        },
        Case(what: "a limit for nobody", code: .noSuchLine, named: "carried") {
            _ = try comparison().run().outcome(of: HopLimit("carried", .ratio(atMost: 1)))
        },
        Case(what: "a limit for the baseline itself", code: .noSuchLine, named: "raw") {
            _ = try comparison().run().outcome(of: HopLimit("raw", .extra(atMost: 1)))
        },
    ]

    @Test("is an error that says which value was wrong", arguments: cases)
    func error(_ given: Case) throws {
        let error = try #require(throws: BenchmarkingError.self) { try given.measure() }
        #expect(error.code == given.code)
        #expect(error.message.contains(given.named))
        #expect(error.description == "\(given.code): \(error.message)")
    }
}
