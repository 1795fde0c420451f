import Dispatch
import MultiIdentity
import MultiIdentityScheduling
import Testing

@Suite("Under every schedule", .serialized)
struct IdentityTests {
    private static let strategies: [ScheduleSettings.Strategy] = [
        .random(seed: 1), .priorities(seed: 1, changes: 3), .delays(seed: 1, atMost: 3),
    ]

    /// Hands work of several users over queues, groups, items, timers, `sync` and tasks, and throws where one runs as another.
    @Sendable private static func handOver() async throws {
        let wrong = Log<String>()
        @Sendable func expect(_ identity: Identity?, _ place: String) {
            if Identity.current != identity { wrong.add("\(place): \(String(describing: Identity.current))") }
        }
        let serial = IdentityQueue(label: "serial")
        let concurrent = IdentityQueue(label: "concurrent", attributes: .concurrent)
        let group = DispatchGroup()
        for name in ["ada", "bo", nil] {
            let user = try name.map { try Identity("\($0)@example.com") }
            withIdentity(user) {
                group.enter()
                concurrent.async {
                    expect(user, "async")
                    serial.sync { expect(user, "sync") }
                    serial.async(group: group) {
                        expect(user, "group")
                        concurrent.asyncAfter(deadline: .now() + .seconds(60)) {
                            expect(user, "after")
                            group.leave()
                        }
                    }
                    expect(user, "async, later")
                    concurrent.async(flags: .barrier) { expect(user, "barrier") }
                }
                group.propagatingIdentity.notify(queue: serial) { expect(user, "notify") }
            }
        }
        let eve = try Identity("eve@example.com")
        await withIdentity(eve) {
            await withCheckedContinuation { continuation in
                concurrent.async { continuation.resume() }
            }
            expect(eve, "task")
            async let child = Identity.current
            let seen = await child
            if seen != eve { wrong.add("child: \(String(describing: seen))") }
        }
        await withCheckedContinuation { continuation in
            group.notify(queue: serial.base) { continuation.resume() }
        }
        if let first = wrong.all.first { throw Mixed(what: first) }
    }

    private struct Mixed: Error { let what: String }

    @Test("each piece runs as whoever handed it over", arguments: strategies)
    func identities(_ strategy: ScheduleSettings.Strategy) async throws {
        let report = try await exploreSchedules(ScheduleSettings(strategy, schedules: 500), Self.handOver)
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
            if seen != ada { throw Mixed(what: "async") }
        }
        #expect(report.schedules == 1)
        #expect(report.failure != nil)
    }
}
