import Foundation
import MultiIdentity
import Testing

@testable import ScheduleExploring

@Suite("The real code, along random schedules") struct RealCodeTests {
    /// More by `EXPLORE_SEEDS` in the environment, longer ones by `EXPLORE_STEPS`, others by `EXPLORE_FIRST_SEED`.
    static let seeds =
        setting("EXPLORE_FIRST_SEED", 0)..<(setting("EXPLORE_FIRST_SEED", 0) + setting("EXPLORE_SEEDS", 50))
    static let steps = setting("EXPLORE_STEPS", 60)

    private static func setting(_ name: String, _ usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
    }

    @Test("does what the rules say after every step", arguments: seeds)
    func holds(_ seed: Int) async throws {
        let exploration = try await ScheduleExplorer(seed: UInt64(seed), steps: Self.steps).run()
        #expect(exploration.schedule.count == Self.steps)
        #expect(exploration.stepsTaken >= Self.steps)
    }

    @Test("does what the rules say with one thread, and with eight", arguments: [1, 8])
    func holds(workers: Int) async throws {
        for seed in 0..<UInt64(5) { try await ScheduleExplorer(seed: seed, workers: workers).run() }
    }

    @Test("does the same twice: the same seed gives the same trace, byte for byte", arguments: [1, 2, 3] as [UInt64])
    func repeats(_ seed: UInt64) async throws {
        let explorer = ScheduleExplorer(seed: seed, steps: 120)
        let one = try await explorer.run()
        let other = try await explorer.run()
        #expect(Array(one.trace.utf8) == Array(other.trace.utf8))
        #expect(!one.trace.isEmpty)
        let schedule = try explorer.schedule()
        #expect(one.schedule == schedule)
    }

    @Test("does the same when the printed schedule is replayed", arguments: [4, 5] as [UInt64])
    func replays(_ seed: UInt64) async throws {
        let explorer = ScheduleExplorer(seed: seed, steps: 120)
        let one = try await explorer.run()
        let other = try await explorer.replay(Schedule(parsing: "\(one.schedule)"))
        #expect(one.trace == other.trace)
    }

    @Test("does something else for another seed")
    func differs() throws {
        let one = try ScheduleExplorer(seed: 1).schedule()
        let other = try ScheduleExplorer(seed: 2).schedule()
        #expect(one != other)
    }

    @Test("meets every kind of step")
    func meetsEveryKind() throws {
        let steps = try (0..<UInt64(60)).flatMap { try ScheduleExplorer(seed: $0).schedule().steps }
        let verbs = Set(steps.map { $0.action.text.prefix { $0 != " " } })
        let all = [
            "bind", "levels", "process", "ui", "return", "throw", "cancelled", "capture", "call", "async", "barrier",
            "grouped", "sync", "run", "item", "dispatch", "perform", "observe", "enter", "leave", "notify", "task",
            "detached", "bare", "suspend", "resume", "cancel", "drop",
        ]
        #expect(verbs == Set(all.map { $0[...] }))
    }
}
