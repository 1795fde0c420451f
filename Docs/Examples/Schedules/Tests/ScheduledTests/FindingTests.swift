import Dispatch
import Foundation
import MultiIdentityScheduling
import Programs
import Testing

@Suite("A schedule with something wrong", .serialized)
struct FindingTests {
    private static let strategies: [ScheduleSettings.Strategy] = [
        .exhaustive, .random(seed: 1), .priorities(seed: 1, changes: 2), .delays(seed: 1, atMost: 2),
    ]

    @Test("names those that wait for each other, and what for", arguments: strategies)
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

    @Test("is found with a probability that the report has a bound for, where the strategy has priorities")
    func bound() async throws {
        let report = try await exploreSchedules(ScheduleSettings(.priorities(seed: 1, changes: 2), schedules: 20)) {
            let queue = DispatchQueue(label: "queue", attributes: .concurrent)
            for _ in 0..<3 { queue.async { queue.async {} } }
        }
        let odds = report.pieces * report.steps * report.steps
        #expect("\(report)".hasSuffix("3 orderings make with a probability of at least 1 in \(odds)"), "\(report)")
    }

    @Test("is found again by the choices that it was shrunk to", arguments: strategies)
    func lostUpdate(_ strategy: ScheduleSettings.Strategy) async throws {
        struct Lost: Error {}
        let body: @Sendable () async throws -> Void = {
            let counter = Log<Int>()
            let queue = DispatchQueue(label: "queue", attributes: .concurrent)
            let group = DispatchGroup()
            for _ in 0..<2 {
                queue.async(group: group) {
                    let seen = counter.all.last ?? 0
                    queue.async {}
                    counter.add(seen + 1)
                }
            }
            group.wait()
            if counter.all.last != 2 { throw Lost() }
        }
        let report = try await exploreSchedules(ScheduleSettings(strategy, schedules: 2_000), body)
        let failure = try #require(report.failure)
        #expect(failure.findings.contains { $0.contains("Lost") })
        let text = "\(failure.schedule)"
        let schedule = try #require(RecordedSchedule(text))
        let again = try await exploreSchedules(ScheduleSettings(.replay(schedule), schedules: 1), body)
        #expect(again.failure?.findings == failure.findings)
        let picture = failure.timeline.svg
        #expect(picture.hasPrefix("<svg") && picture.hasSuffix("</svg>"))
        #expect(picture.components(separatedBy: "<rect").count > 3)
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

    @Test("stops the program where a piece waits for what is not controlled")
    func blocked() async {
        await #expect(processExitsWith: .failure) {
            var settings = ScheduleSettings(.random(seed: 1), schedules: 1)
            settings.patience = 200
            _ = try await exploreSchedules(settings) { sleep(60) }
        }
    }

    @Test("is the same for the same seed", arguments: strategies)
    func seeded(_ strategy: ScheduleSettings.Strategy) async throws {
        let hashes = Log<UInt64>()
        for _ in 0..<2 {
            let report = try await exploreSchedules(ScheduleSettings(strategy, schedules: 200)) {
                let queue = DispatchQueue(label: "queue", attributes: .concurrent)
                for _ in 0..<4 { queue.async { queue.async {} } }
                await Task.yield()
            }
            #expect(report.failure == nil)
            hashes.add(report.hash)
        }
        #expect(Set(hashes.all).count == 1)
    }

    @Test("is one issue of the test, with the line that replays it")
    func issue() async throws {
        let test = try #require(Test.current)
        let trait: EveryScheduleTrait = .everySchedule(atMost: 1_000)
        try await withKnownIssue {
            try await trait.provideScope(for: test, testCase: Test.Case.current) {
                let log = Log<Int>()
                let queue = DispatchQueue(label: "queue", attributes: .concurrent)
                for number in 1...2 { queue.async { log.add(number) } }
                await withCheckedContinuation { continuation in
                    queue.async(flags: .barrier) { continuation.resume() }
                }
                #expect(log.all == [1, 2])
            }
        } matching: { issue in
            "\(issue)".contains("log.all") && "\(issue)".contains("Replay: MULTI_IDENTITY_SCHEDULE='")
        }
    }

    @Test("runs a test under every schedule", .everySchedule(atMost: 1_000))
    func trait() async {
        let log = Log<Int>()
        let queue = DispatchQueue(label: "serial")
        queue.async { log.add(1) }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(log.all == [1])
    }
}
