import Dispatch
import Foundation
import Programs
import Testing

@testable import MultiIdentityScheduling

@Suite("A schedule with something wrong", .serialized)
struct FindingTests {
    private static let strategies: [ScheduleSettings.Strategy] = [
        .exhaustive, .random(seed: 1), .priorities(seed: 1, changes: 2), .delays(seed: 1, atMost: 2),
    ]

    @Test("names the work items that wait for each other, and what for", arguments: strategies)
    func deadlock(_ strategy: ScheduleSettings.Strategy) async throws {
        let report = try await exploreSchedules(ScheduleSettings(strategy, schedules: 2_000)) {
            let (one, other) = (DispatchQueue(label: "one"), DispatchQueue(label: "other"))
            one.async { other.sync {} }
            other.async { one.sync {} }
        }
        let failure = try #require(report.failure)
        #expect(failure.findings.contains { $0.contains("sync on other") })
        #expect(failure.findings.contains { $0.contains("sync on one") })
    }

    @Test("is a body that never ends, and work that never runs")
    func lost() async throws {
        let report = try await exploreSchedules(ScheduleSettings(.exhaustive, schedules: 10)) {
            let queue = DispatchQueue(label: "stopped")
            queue.suspend()
            await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        }
        let failure = try #require(report.failure)
        #expect(failure.findings.contains { $0.contains("never ran on stopped: the queue is suspended") })
        #expect(failure.findings.contains { $0.contains("the body did not end") })
    }

    @Test("leaves behind a body that never ends, and lets the next test run", arguments: [false, true])
    func left(_ blocksItsThread: Bool) async throws {
        let test = try #require(Test.current)
        let (waiting, wentOn) = (Log<CheckedContinuation<Void, Never>>(), Log<Int>())
        try await withKnownIssue {
            _ = try await EveryScheduleTrait.everySchedule(atMost: 10).report(for: test, testCase: Test.Case.current) {
                if blocksItsThread { DispatchSemaphore(value: 0).wait() }
                await withCheckedContinuation { waiting.add($0) }
                wentOn.add(1)
            }
        } matching: {
            "\($0)".contains("the body did not end")
        }
        // From outside, after what it uses is gone.
        for continuation in waiting.all { continuation.resume() }
        #expect(wentOn.all.isEmpty)
        #expect(waiting.all.isEmpty == blocksItsThread)
    }

    @Test("is a thread that still waits after the body, whose waits are counted")
    func thread() async throws {
        var settings = ScheduleSettings(.exhaustive, schedules: 1)
        (settings.steps, settings.shrinking) = (100, 0)
        let report = try await exploreSchedules(settings) {
            let condition = NSCondition()
            Thread { condition.withLock { while !condition.wait(until: Date(timeIntervalSinceNow: 0.1)) {} } }.start()
        }
        let failure = try #require(report.failure)
        #expect(failure.findings.contains { $0.hasPrefix("the body has ended, but threads") })
        #expect("\(failure.timeline)".contains(/… [0-9]{3} more such waits, until [0-9]+ ns …/))
        #expect("\(failure.timeline)".components(separatedBy: "waits for a condition").count == 2)
    }

    @Test("is a nested exploration of schedules")
    func nested() async throws {
        let report = try await exploreSchedules(ScheduleSettings(.exhaustive, schedules: 1)) {
            _ = try await exploreSchedules(ScheduleSettings(.exhaustive, schedules: 1)) {}
        }
        #expect(report.failure?.findings.contains { $0.contains("cannot be nested") } == true)
    }

    @Test("stops the program where a work item waits for what is not controlled")
    func blocked() async {
        await #expect(processExitsWith: .failure) {
            var settings = ScheduleSettings(.random(seed: 1), schedules: 1)
            settings.patience = 200
            _ = try await exploreSchedules(settings) { poll(nil, 0, 60_000) }
        }
    }

    @Test("is found again by the choices that it was shrunk to", arguments: strategies)
    func replayed(_ strategy: ScheduleSettings.Strategy) async throws {
        let report = try await exploreSchedules(ScheduleSettings(strategy, schedules: 2_000), isInOrder)
        let failure = try #require(report.failure)
        #expect(failure.findings.contains { $0.contains("[2, 1]") })
        let schedule = try #require(RecordedSchedule("\(failure.schedule)"))
        let again = try await exploreSchedules(ScheduleSettings(.replay(schedule), schedules: 9), isInOrder)
        #expect(again.schedules == 1)
        #expect(again.failure?.findings == failure.findings)
    }

    @Test("is one issue of the test, whose line replays that schedule alone")
    func issue() async throws {
        let report = try await failing()
        let schedule = try #require(report.failure).schedule
        #expect(report.schedules > 1)

        setenv("MULTI_IDENTITY_SCHEDULE", "\(schedule)", 1)
        defer { unsetenv("MULTI_IDENTITY_SCHEDULE") }
        let again = try await failing()
        #expect(again.schedules == 1)
        #expect(again.failure?.findings == report.failure?.findings)
        setenv("MULTI_IDENTITY_SCHEDULE", "first", 1)
        #expect(throws: ScheduleError.self) { try ScheduleSettings(.exhaustive, schedules: 1).replaying() }
    }

    @Test(
        "is not ruled out where the limit cuts off schedules, which the trait warns of",
        arguments: [ScheduleSettings.Strategy.exhaustive, .everyOrder]
    )
    func cutShort(_ strategy: ScheduleSettings.Strategy) async throws {
        let test = try #require(Test.current)
        let trait: EveryScheduleTrait = .schedules(ScheduleSettings(strategy, schedules: 1))
        try await withKnownIssue {
            try await trait.provideScope(for: test, testCase: Test.Case.current) {
                let (queue, group) = (DispatchQueue(label: "serial"), DispatchGroup())
                for _ in 0..<2 { DispatchQueue.global().async(group: group) { queue.async {} } }
                await withCheckedContinuation { done in group.notify(queue: queue) { done.resume() } }
            }
        } matching: {
            $0.severity == .warning && "\($0)".contains("not complete: 1 schedules, and there are more: use .random")
                && "\($0)".contains("or use .everyOrder") == ("\(strategy)" == "exhaustive")
        }
        try await trait.provideScope(for: test, testCase: Test.Case.current) {}
    }

    /// Makes this test fail by its trait, and expects one issue: with what is wrong, the timeline, and the schedule.
    private func failing() async throws -> ScheduleReport {
        let test = try #require(Test.current)
        let (issues, reports) = (Log<String>(), Log<ScheduleReport>())
        try await withKnownIssue {
            let trait: EveryScheduleTrait = .everySchedule(atMost: 1_000)
            let report = try await trait.report(for: test, testCase: Test.Case.current) {
                let seen = try await notedOnAConcurrentQueue()
                #expect(seen == [1, 2])
            }
            reports.add(report)
        } matching: { issue in
            // The issue handler also gets the issues inside the schedules, which the trait collects.
            let isOfTheTrait = "\(issue)".contains("Replay: ")
            if isOfTheTrait { issues.add("\(issue) at \(issue.sourceLocation?.fileName ?? "")") }
            return isOfTheTrait
        }
        let report = try #require(reports.all.first)
        let schedule = try #require(report.failure).schedule
        #expect(issues.all.count == 1)
        for part in [
            "seen → [2, 1]", "begins work item", "at FindingTests.swift",
            "Replay: MULTI_IDENTITY_SCHEDULE='\(schedule)' swift test --filter 'issue'",
        ] {
            #expect(issues.all.first?.contains(part) == true, "\(part)")
        }
        return report
    }

    @Test("is none where the order is kept: the trait runs a test under every schedule", .everySchedule(atMost: 1_000))
    func trait() async {
        let log = Log<Int>()
        let queue = DispatchQueue(label: "serial")
        queue.async { log.add(1) }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(log.all == [1])
    }
}

/// Returns the order in which two work items of a concurrent queue ran.
@Sendable private func notedOnAConcurrentQueue() async throws -> [Int] {
    let log = Log<Int>()
    let queue = DispatchQueue(label: "queue", attributes: .concurrent)
    for number in 1...2 { queue.async { log.add(number) } }
    await withCheckedContinuation { continuation in
        queue.async(flags: .barrier) { continuation.resume() }
    }
    return log.all
}

/// Expects an order that nothing promises.
@Sendable private func isInOrder() async throws {
    let seen = try await notedOnAConcurrentQueue()
    if seen != [1, 2] { throw Wrong("\(seen)") }
}
