import Dispatch
import Foundation
import MultiIdentity
@_spi(Catalogue) import MultiIdentityDoctor
import MultiIdentityScheduling
import Programs
import Testing

@Suite("Each boundary of the catalogue, under many schedules", .serialized)
struct CatalogueTests {
    /// Those whose hand-overs are controlled: not threads, nor the system's events.
    private static let boundaries = CataloguedBoundary.all.filter { boundary in
        [.queues, .items, .operations, .tasks].contains(boundary.family) && boundary.exists
    }

    /// The number of schedules for each boundary and strategy.
    private static let count =
        ProcessInfo.processInfo.environment["MULTI_IDENTITY_SCHEDULES"].flatMap { Int($0) } ?? 50
    private static let strategies: [ScheduleSettings.Strategy] = [.random(seed: 1), .priorities(seed: 1)]

    @Test("runs work of several users as their own, whatever triggers it", arguments: boundaries, strategies)
    func keeps(_ boundary: CataloguedBoundary, _ strategy: ScheduleSettings.Strategy) async throws {
        var settings = ScheduleSettings(strategy, schedules: Self.count)
        settings.allowsDivergence = boundary.family == .operations
        let report = try await exploreSchedules(settings) { try await Self.cross(boundary, carries: true) }
        #expect(report.failure == nil)
        #expect(report.schedules == Self.count)
    }

    @Test("is seen to lose one where it is crossed without this package", arguments: boundaries)
    func loses(_ boundary: CataloguedBoundary) async throws {
        guard boundary.isCarriedByPackage, boundary.worker != .caller else { return }
        let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 100)) {
            try await Self.cross(boundary, carries: false)
        }
        #expect(report.failure != nil)
    }

    /// Makes two users' and nobody's work cross a boundary at once, and throws if one runs as another.
    private static func cross(_ boundary: CataloguedBoundary, carries: Bool) async throws {
        let wrong = Log<String>()
        let group = DispatchGroup()
        let eve = try Identity("eve@example.com")
        for (number, name) in ["ada", "bo", nil].enumerated() {
            let user = try name.map { try Identity("\($0)@example.com") }
            let queue = DispatchQueue(label: "user \(number)")
            group.enter()
            let setOff = withIdentity(user) {
                PreparedCrossing.prepare(boundary, carries: carries, others: eve, on: queue) {
                    if Identity.current != user { wrong.add("\(String(describing: Identity.current))") }
                    group.leave()
                }
            }
            DispatchQueue.global().async { withIdentity(boundary.isOneCall ? user : eve, setOff) }
        }
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
        if let first = wrong.all.first { throw Wrong(first) }
    }
}
