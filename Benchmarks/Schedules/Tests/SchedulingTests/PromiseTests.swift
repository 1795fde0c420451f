import MultiIdentity
import MultiIdentityScheduling
import Programs
import Testing

@Suite("A promise of the package", .serialized)
struct PromiseTests {
    private static let strategies: [ScheduleSettings.Strategy] = [.random(seed: 1), .priorities(seed: 1, changes: 3)]

    @Test("is kept under many schedules", arguments: Promise.all, strategies)
    func holds(_ promise: Promise, _ strategy: ScheduleSettings.Strategy) async throws {
        // Some of them turn it on.
        defer { IdentityRevocation.isOn = false }
        var settings = ScheduleSettings(strategy, schedules: 30)
        settings.allowsDivergence = promise.usesOperations
        let report = try await exploreSchedules(settings, promise.callAsFunction)
        #expect(report.failure == nil)
        #expect(report.schedules == 30)
    }
}
