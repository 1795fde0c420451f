import Foundation
import MultiIdentityScheduling
import OpenCombine
import Testing

/// Verifies what Docs/Reliability.md says of packages under controlled schedules.
@Suite("A published package under schedules", .serialized) struct WildScheduleTests {
    private static let count =
        ProcessInfo.processInfo.environment["MULTI_IDENTITY_SCHEDULES"].flatMap { Int($0) } ?? 20
    private static let strategies: [ScheduleSettings.Strategy] = [
        .everyOrder, .random(seed: 1), .priorities(seed: 1, changes: 3), .delays(seed: 1, atMost: 3),
    ]
    private static let isFixed: Comment = "The package seems to have fixed this: remove it from Docs/Reliability.md."

    @Test("keeps its promise", arguments: ScheduledUse.correct)
    func keeps(_ use: ScheduledUse) async throws {
        for strategy in Self.strategies {
            var settings = ScheduleSettings(strategy, schedules: Self.count)
            settings.allowsDivergence = use.ordersByAddress
            let report = try await exploreSchedules(settings.replaying(), use.run)
            #expect(report.failure == nil, "\(strategy)")
            if Self.count > 1_000 { print("\(use.name), \(strategy): \(report)") }
        }
    }

    @Test("breaks its promise", arguments: ScheduledUse.faulty)
    func breaks(_ use: ScheduledUse) async throws {
        let settings = ScheduleSettings(.priorities(seed: 1, changes: 3), schedules: max(1_000, Self.count))
        let report = try await exploreSchedules(settings.replaying(), use.run)
        let failure = try #require(report.failure, Self.isFixed)
        #expect(failure.findings.contains { $0.contains(use.finding) }, Self.isFixed)
        if Self.count > 1_000 { print("\(use.name): schedule \(failure.number + 1)") }
    }

    /// Each of `zip`'s subscribers has its parent `unowned`, and the first one that ends releases it.
    @Test("crashes where both sides of zip end at once (OpenCombine)")
    func zip() async throws {
        let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            let settings = ScheduleSettings(.priorities(seed: 1, changes: 3), schedules: 1_000)
            _ = try await exploreSchedules(settings) {
                let (one, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
                let cancellable = one.zip(other).sink { _ in }
                await atOnce({ one.send(completion: .finished) }, { other.send(completion: .finished) })
                cancellable.cancel()
            }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("Attempted to read an unowned reference"), Self.isFixed)
    }
}
