import Foundation
package import Testing

@testable import MultiIdentityScheduling

/// Like in the root package, where it is false.
package let isUnderSchedules = true

extension Trait where Self == ScheduledRule {
    /// Runs each case of the test, or of the suite's tests, under many schedules, whatever rules it covers.
    package static func rule(_ numbers: String...) -> Self { ScheduledRule() }
}

extension Trait where Self == Comment {
    /// Like in the root package: which rows of Docs/Guide.md a test shows.
    package static func guide(_ rows: String...) -> Self { "" }
}

/// Replaces the marks with which the root package's tests name the rules that they cover, so that they run under schedules
/// unchanged.
///
/// A case runs under all its schedules if there are few, otherwise under as many of each strategy as requested. A line of the
/// output has their number and a hash of all their steps, which `run` counts and compares.
package struct ScheduledRule: TestTrait, SuiteTrait, TestScoping {
    package var isRecursive: Bool { true }

    private static let count =
        ProcessInfo.processInfo.environment["MULTI_IDENTITY_SCHEDULES"].flatMap { Int($0) } ?? 3

    /// Tests that do not run here, and why; `run` leaves out whole files.
    private static let leftOut: [String: Set<String>] = [
        // They start a process, which no schedule controls.
        "ExplanationTests.swift": ["switching()", "site()"],  // the second names its module
        "RunningWorkTests.swift": ["asynchronous()"],  // names its module
        "StrictModeTests.swift": ["trap()", "log()", "outlived()", "origin()"],  // needs time; names its module
        "LastingBindingTests.swift": ["threadsEnd()", "thread()"],
        "InferredIdentityTests.swift": ["decides()"],
        "ReleaseTests.swift": ["memory(_:)"],
        "LeaseTests.swift": ["lateTraps()"],
        "ThreadTests.swift": ["exitingUnderAnOlderKey()"],
        // They need time to pass while nothing waits.
        "HopBudgetTests.swift": ["age()"],
        // Sources for events of the system.
        "SourceTests.swift": ["amounts()", "properties()"],
        // Counts for the whole process; the second uses a random number, which is equal in each schedule.
        "CarryCounterTests.swift": ["concurrently()", "counting()"],
        "FairOperationQueueTests.swift": ["missed()"],  // once for each process
        // One schedule takes a second: hundreds of steps, or tens of thousands of calls that hand nothing over.
        "DrainingTests.swift": ["race(_:)"],
        "HostileRevocationTests.swift": ["racing()", "manyCaptures()"],
        "IdentityLevelsTests.swift": ["atomicity()"],
        "CacheTests.swift": ["newcomer(times:)"],
        "FairnessTests.swift": ["starvesNobody()"],
    ]

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        if Self.leftOut[test.sourceLocation.fileName]?.contains(test.name) == true { return }
        // Its suite is also marked, and already runs it under schedules.
        if Schedule.current != nil { return try await function() }
        func run(_ strategy: ScheduleSettings.Strategy, _ count: Int) async throws -> ScheduleReport {
            var settings = ScheduleSettings(strategy, schedules: count)
            // Foundation starts operations that have waited for another one in the order of their addresses.
            settings.allowsDivergence = test.sourceLocation.fileName.contains("Operation")
            let trait = EveryScheduleTrait(settings: settings)
            return try await trait.report(for: test, testCase: testCase, performing: function)
        }
        // These run again below if they are not all.
        let first = try await run(.exhaustive, min(10, Self.count))
        var ran = first.isComplete ? first.schedules : 0
        var hash = first.hash
        if !first.isComplete, first.failure == nil {
            // Fewer of long ones, which then take as long.
            let count = min(Self.count, max(10, Self.count * 50 / first.steps))
            for strategy: ScheduleSettings.Strategy in [.exhaustive, .random(seed: 1), .priorities(seed: 1)] {
                let report = try await run(strategy, count)
                ran += report.schedules
                hash = hash &* 31 ^ report.hash
                if report.isComplete || report.failure != nil { break }
            }
        }
        print("schedules: \(ran) of \(test.sourceLocation.fileName) \(test.name), \(hash)")
    }
}
