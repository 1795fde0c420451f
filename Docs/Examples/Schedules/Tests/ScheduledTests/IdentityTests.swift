import Dispatch
import MultiIdentity
import MultiIdentityScheduling
import Programs
import Testing

@Suite("Under every schedule", .serialized)
struct IdentityTests {
    private static let strategies: [ScheduleSettings.Strategy] = [
        .random(seed: 1), .priorities(seed: 1, changes: 3), .delays(seed: 1, atMost: 3),
    ]

    @Test("each piece runs as whoever handed it over", arguments: strategies)
    func identities(_ strategy: ScheduleSettings.Strategy) async throws {
        let report = try await exploreSchedules(ScheduleSettings(strategy, schedules: 500), handOverForSeveral)
        #expect(report.failure == nil)
        #expect(report.schedules == 500)
    }

    @Test("plain Dispatch loses them, in the first one")
    func plain() async throws {
        let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 10)) {
            let ada = try Identity("ada@example.com")
            let seen: Identity? = await withIdentity(ada) {
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume(returning: Identity.current) }
                }
            }
            if seen != ada { throw Wrong("async") }
        }
        #expect(report.schedules == 1)
        #expect(report.failure != nil)
    }
}
