#if os(Linux) && canImport(Testing)
import Synchronization
public import Testing

/// Runs each test case under many schedules, and reports the first one that fails, with the choices that replay it.
///
/// A failing schedule records one issue, with what is wrong, its timeline, and the value of `MULTI_IDENTITY_SCHEDULE` that
/// runs the test under that schedule alone.
public struct EveryScheduleTrait: TestTrait, TestScoping {
    let settings: ScheduleSettings

    /// Runs a test case under each schedule.
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The test case.
    ///   - function: Runs the test case once.
    /// - Throws: ``ScheduleError`` if nothing can be controlled.
    @concurrent
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let report = try await report(for: test, testCase: testCase, performing: function)
        if report.isCutShort {
            let other = if case .everyOrder = settings.strategy.kind { "" } else { ", or use .everyOrder" }
            let advice = "use .random(seed:), which finds most bugs early, or raise the limit\(other)"
            let comment: Comment = "\(report), and there are more: \(advice)"
            #if compiler(>=6.3)
            Issue.record(comment, severity: .warning, sourceLocation: test.sourceLocation)
            #else
            print("warning: \(test.name): \(comment)")  // Testing of Swift 6.2 has no warnings
            #endif
        }
    }

    /// Runs a test case under each schedule, records what is wrong, and returns the report.
    @concurrent
    func report(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws -> ScheduleReport {
        let settings = try settings.replaying()
        let seen = Mutex<[String]>([])
        return try await withoutActuallyEscaping(function) { function in
            let body = Body(run: function)
            let report = try await exploreSchedules(settings, failures: { seen.withLock { exchange(&$0, with: []) } }) {
                let noting: IssueHandlingTrait = .compactMapIssues { issue in
                    seen.withLock { $0.append("\(issue)") }
                    return nil
                }
                try await noting.provideScope(for: test, testCase: testCase) { try await body.run() }
            }
            if let failure = report.failure {
                let name = test.name.prefix { $0 != "(" }
                Issue.record("\(failure) swift test --filter '\(name)'", sourceLocation: test.sourceLocation)
            }
            return report
        }
    }

    /// `@unchecked Sendable`: the closure is `@Sendable` and does not escape: all schedules have ended before it does, and the
    /// task of a body that has not ended never runs again.
    private struct Body: @unchecked Sendable {
        let run: @Sendable () async throws -> Void
    }
}

extension Trait where Self == EveryScheduleTrait {
    /// Runs the test under each of its schedules, up to the limit.
    ///
    /// ```swift
    /// @Test(.everySchedule(atMost: 10_000)) func isInOrder() async { … }
    /// ```
    ///
    /// If the limit is reached before all of them ran, a warning is recorded.
    /// - Parameters:
    ///   - count: The largest number of schedules.
    ///   - workers: The largest number of work items in progress at once; `nil` for any number.
    /// - Returns: The trait.
    public static func everySchedule(atMost count: Int, workers: Int? = nil) -> Self {
        EveryScheduleTrait(settings: ScheduleSettings(.exhaustive, schedules: count, workers: workers))
    }

    /// Runs the test under schedules that a strategy chooses.
    /// - Parameter settings: How the schedules are chosen, and how many.
    /// - Returns: The trait.
    public static func schedules(_ settings: ScheduleSettings) -> Self { EveryScheduleTrait(settings: settings) }
}
#endif
