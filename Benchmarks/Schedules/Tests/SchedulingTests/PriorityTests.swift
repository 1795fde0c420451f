import Dispatch
import Foundation
import Programs
import Testing

@testable import MultiIdentityScheduling

@Suite("Priorities", .serialized)
struct PriorityTests {
    /// Bugs, each of which needs one more ordering than priorities change.
    enum Bug: String, CaseIterable, Sendable {
        case lockOrder, lostUpdate, stolenWakeUp, stolenWakeUpWithMoreChanges

        var changes: Int {
            switch self {
            case .lockOrder, .lostUpdate: 1
            case .stolenWakeUp: 2
            case .stolenWakeUpWithMoreChanges: 3
            }
        }

        @Sendable func run() async throws {
            switch self {
            case .lockOrder:
                let (one, other) = (DispatchQueue(label: "one"), DispatchQueue(label: "other"))
                await concurrently([{ one.sync { other.sync {} } }, { other.sync { one.sync {} } }])
            case .lostUpdate:
                let (queue, balance) = (DispatchQueue(label: "queue"), Log<Int>())
                let deposit: @Sendable () -> Void = {
                    let seen = queue.sync { balance.all.last ?? 0 }
                    queue.sync { balance.add(seen + 1) }
                }
                await concurrently([deposit, deposit])
                if balance.all.last != 2 { throw Wrong("an update is lost") }
            case .stolenWakeUp, .stolenWakeUpWithMoreChanges:
                let (condition, items, empty) = (NSCondition(), Log<Int>(), Log<Int>())
                let put: @Sendable () -> Void = {
                    condition.withLock {
                        items.add(1)
                        condition.signal()
                    }
                }
                let take: @Sendable () -> Void = {
                    condition.withLock {
                        if items.all.reduce(0, +) == 0 { condition.wait() }
                        if items.all.reduce(0, +) == 0 { empty.add(1) } else { items.add(-1) }
                    }
                }
                await concurrently([take, take, put, put])
                if !empty.all.isEmpty { throw Wrong("taken from nothing") }
            }
        }
    }

    @Test("find a bug at least as often as the report promises", arguments: Bug.allCases)
    func rate(_ bug: Bug) async throws {
        var (schedules, found, odds) = (0, 0, 0.0)
        for seed: UInt64 in 0..<40 {
            var settings = ScheduleSettings(.priorities(seed: seed, changes: bug.changes), schedules: 1_000)
            settings.shrinking = 0
            let report = try await exploreSchedules(settings, bug.run)
            schedules += report.schedules
            if report.failure != nil { found += 1 }
            odds = max(odds, report.bound?.odds ?? 0)
        }
        #expect(odds > 0)
        #expect(Double(found) * odds >= Double(schedules), "\(found) in \(schedules), and promised 1 in \(odds)")
    }

    @Test("promise something of the schedules since the longest one so far, and else nothing", arguments: [1, 20])
    func bound(_ count: Int) async throws {
        let report = try await exploreSchedules(ScheduleSettings(.priorities(seed: 1, changes: 2), schedules: count)) {
            let queue = DispatchQueue(label: "queue", attributes: .concurrent)
            for _ in 0..<3 { queue.async { queue.sync {} } }
        }
        guard let bound = report.bound else {
            #expect(count == 1)
            #expect("\(report)" == "not complete: 1 schedules")
            return
        }
        #expect(bound.strands == 4)
        #expect(bound.schedules < count)
        let odds = bound.strands * bound.steps * bound.steps
        #expect(
            "\(report)".hasSuffix(
                "each of the last \(bound.schedules) finds a bug that 3 orderings make with a probability of at least 1 in \(odds) "
                    + "(4 work items, \(bound.steps) steps)"
            ),
            "\(report)"
        )
    }
}

/// Runs work concurrently, and returns when all of it has ended.
private func concurrently(_ work: [@Sendable () -> Void]) async {
    let group = DispatchGroup()
    for work in work { DispatchQueue.global().async(group: group, execute: work) }
    await withCheckedContinuation { continuation in group.notify(queue: .global()) { continuation.resume() } }
}
