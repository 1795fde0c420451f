import Dispatch
import Synchronization
import Testing

@testable import MultiIdentityBenchmarking

@Suite("A comparison that runs") struct RunningTests {
    /// The order in which variants ran.
    private final class Diary: Sendable {
        private let entries = Mutex<[String]>([])
        var all: [String] { entries.withLock { $0 } }
        func note(_ entry: String) { entries.withLock { $0.append(entry) } }
        func variant(_ name: String) -> HopVariant { .held(name, hold: { self.note(name) }, enqueue: {}, drain: {}) }
    }

    private static func order(seed: UInt64) throws -> [String] {
        let diary = Diary()
        let variants = ["a", "b", "c"].map(diary.variant)
        _ = try HopComparison.madeUp("order", of: variants, against: "a", seed: seed, rounds: 30).run()
        return diary.all
    }

    @Test("gives each variant a block in each round, in an order drawn from the seed")
    func interleaved() throws {
        let order = try Self.order(seed: 1)
        let rounds = stride(from: 0, to: order.count, by: 3).map { order[$0..<$0 + 3].joined() }
        #expect(rounds.count == 30)
        #expect(rounds.allSatisfy { $0.sorted() == ["a", "b", "c"] })
        #expect(Set(rounds).count == 6)
        #expect(try Self.order(seed: 1) == order)
        #expect(try Self.order(seed: 2) != order)
    }

    @Test("leaves out the warm-up rounds")
    func warmUps() throws {
        let clock = ManualClock()
        let blocks = Atomic<Int64>(0)
        // The first block is the most expensive, and each block is cheaper than the one before.
        let variant = HopVariant.held(
            "cooling",
            hold: { _ = blocks.add(1, ordering: .relaxed) },
            enqueue: { clock.advance(by: 100 - blocks.load(ordering: .relaxed)) },
            drain: {}
        )
        var comparison = try HopComparison.madeUp("warm", of: [variant], against: "cooling", rounds: 4)
        comparison.warmUps = 3
        let report = try comparison.run(measuring: [.time(on: clock)])
        #expect(report.line(of: "cooling")?.blocks == [96, 95, 94, 93])
    }

    @Test("measures handing over and running separately, and prints the floor of each")
    func phases() throws {
        let clock = ManualClock()
        let held = HopVariant.held(
            "held",
            hold: {},
            enqueue: { clock.advance(by: 7) },
            drain: { clock.advance(by: 50) }
        )
        let body = HopVariant.body("body") { clock.advance(by: 3) }
        let report = try HopComparison.madeUp("parts", of: [held, body], against: "held")
            .run(measuring: [.time(on: clock)])
        #expect(report.line(of: "held", phase: .enqueue)?.median == 7)
        #expect(report.line(of: "held", phase: .drain)?.median == 5)
        #expect(report.line(of: "held", phase: .whole)?.median == 12)
        #expect(report.line(of: "body", phase: .whole)?.ratio?.estimate == 0.25)
        #expect(report.line(of: "body", phase: .drain) == nil)
        #expect(report.lines.allSatisfy { $0.floor == 0 })
    }

    @Test("counts the harness's own cost as the floor")
    func floor() throws {
        let reads = Atomic(0)
        // A gauge that grows by one with each reading: the difference between two readings is one.
        let gauge = HopGauge.count("reads") { reads.add(1, ordering: .relaxed).newValue }
        let report = try HopComparison.madeUp("floor", of: [.body("nothing", {})], against: "nothing")
            .run(measuring: [gauge])
        let line = try #require(report.line(of: "nothing", gauge: "reads"))
        #expect(line.floor == 0.2 && line.median == 0.2)
    }

    @Test("runs each block once in its scope, inner scopes inside outer ones")
    func scoped() throws {
        let diary = Diary()
        let variant = HopVariant.held("v", hold: { diary.note("hold") }, enqueue: {}, drain: { diary.note("drain") })
            .within {
                diary.note("inner"); $0(); diary.note("/inner")
            }
            .within {
                diary.note("outer"); $0(); diary.note("/outer")
            }
        _ = try HopComparison.madeUp("scoped", of: [variant], against: "v", rounds: 1).run()
        #expect(diary.all == ["outer", "inner", "hold", "drain", "/inner", "/outer"])
    }

    @Test("reports its progress, always including the last round")
    func progress() throws {
        var said: [String] = []
        _ = try HopComparison.madeUp("telling", of: [.body("a", {})], against: "a", rounds: 9).run { said.append($0) }
        let last = try #require(said.last)
        #expect(last.hasPrefix("telling: round 9 of 9, ") && last.hasSuffix(" s, about 0 s left"))
    }

    @Test("measures a queue against itself by wall-clock time")
    func queue() throws {
        let queue = DispatchQueue(label: "benchmarking.test")
        let drain: @Sendable () -> Void = {
            queue.resume()
            queue.sync {}
        }
        let variants = ["one", "other"].map { name in
            HopVariant.held(name, hold: { queue.suspend() }, enqueue: { queue.async {} }, drain: drain)
        }
        let report = try HopComparison.madeUp("async", of: variants, against: "one").run()
        let line = try #require(report.line(of: "other"))
        #expect(line.blocks.count == 40 && percentile(0, of: line.blocks) > 0 && line.verdict != nil)
    }
}
