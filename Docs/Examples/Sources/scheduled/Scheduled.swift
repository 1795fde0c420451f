import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityScheduling

/// A program under many schedules: a textbook bug that the scheduler finds, shrinks and replays, and its fixed version.
///
/// Prints a line for each case, and exits with 1 if one differs. It is a program without tests, because the scheduler replaces
/// Dispatch for the whole process.
@main enum Scheduled {
    static func main() async {
        var hasFailed = false
        for (name, check) in cases {
            do {
                print("ok     \(name): \(try await check())")
            } catch {
                hasFailed = true
                print("WRONG  \(name): \(error)")
            }
        }
        exit(hasFailed ? 1 : 0)
    }

    /// Each throws where something is not as it should be, and else says what was found.
    private static let cases: [(name: String, check: @Sendable () async throws -> String)] = [
        ("a withdrawal that reads and writes in two pieces loses money", losesMoney),
        ("the same in one piece loses none", losesNone),
        ("two queues that wait for each other are named", deadlock),
        ("work that can never run is named", suspended),
        ("each piece of several users runs as its user", severalUsers),
    ]

    @Sendable private static func losesMoney() async throws -> String {
        for strategy in strategies {
            let settings = ScheduleSettings(strategy, schedules: 2_000)
            let failure = try found(try await exploreSchedules(settings, withdrawingInTwoPieces))
            try expect(failure.findings.contains { $0.contains("90 are left") }, "\(failure)")
            // As MULTI_IDENTITY_SCHEDULE does, which the report prints.
            guard let schedule = RecordedSchedule("\(failure.schedule)") else { throw Wrong("no schedule is recorded") }
            let again = try await exploreSchedules(
                ScheduleSettings(.replay(schedule), schedules: 1),
                withdrawingInTwoPieces
            )
            try expect(again.failure?.findings == failure.findings, "replayed, it is \(again)")
        }
        return "found by \(strategies.count) strategies, and found again by the choices that each was shrunk to"
    }

    @Sendable private static func losesNone() async throws -> String {
        let report = try await exploreSchedules(
            ScheduleSettings(.exhaustive, schedules: 100_000),
            withdrawingInOnePiece
        )
        try expect(report.failure == nil && report.isComplete, "\(report)")
        return "\(report)"
    }

    @Sendable private static func deadlock() async throws -> String {
        let report = try await exploreSchedules(ScheduleSettings(.exhaustive, schedules: 2_000)) {
            let (one, other) = (DispatchQueue(label: "one"), DispatchQueue(label: "other"))
            one.async { other.sync {} }
            other.async { one.sync {} }
        }
        let findings = try found(report).findings
        for part in ["sync on one", "sync on other"] {
            try expect(findings.contains { $0.contains(part) }, "\(findings)")
        }
        return findings.joined(separator: "; ")
    }

    @Sendable private static func suspended() async throws -> String {
        let report = try await exploreSchedules(ScheduleSettings(.exhaustive, schedules: 10)) {
            let queue = DispatchQueue(label: "stopped")
            queue.suspend()
            await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        }
        let findings = try found(report).findings
        try expect(findings.contains { $0.contains("never ran on stopped: the queue is suspended") }, "\(findings)")
        return findings.joined(separator: "; ")
    }

    @Sendable private static func severalUsers() async throws -> String {
        let settings = ScheduleSettings(.priorities(seed: 1, changes: 3), schedules: 500)
        let report = try await exploreSchedules(settings, handOverForSeveral)
        try expect(report.failure == nil && report.schedules == 500, "\(report)")
        let plain = try await exploreSchedules(settings, handOverPlainly)
        try expect(plain.schedules == 1 && plain.failure != nil, "plain queues keep it: \(plain)")
        return "\(report); plain Dispatch loses them in the first"
    }

    private static let strategies: [ScheduleSettings.Strategy] = [
        .exhaustive, .random(seed: 1), .priorities(seed: 1, changes: 2), .delays(seed: 1, atMost: 2),
    ]

    private static func found(_ report: ScheduleReport) throws -> ScheduleReport.Failure {
        guard let failure = report.failure else { throw Wrong("nothing was found: \(report)") }
        return failure
    }

    private static func expect(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws {
        if !condition { throw Wrong(otherwise()) }
    }
}

/// Something that is not as it should be.
struct Wrong: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
