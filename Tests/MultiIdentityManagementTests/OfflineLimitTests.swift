import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

@Suite("An account whose service is silent", .rule("15.14")) struct OfflineLimitTests {
    let ada = RegistryScene.account()
    private static let day = Duration.seconds(86_400)

    private static let limits = ManagementConfiguration.with { ($0.jitter, $0.offlineWipe) = (0, day * 40) }

    /// A machine with a settable time of day and advancing ticks; the store and the program use both.
    private final class Machine: Sendable {
        private let state = Locked((ticks: Int64(1_000), boot: "first"))
        let clock = SteppedClock()

        func store(_ folder: DatabaseFolder) throws -> SQLiteAccountStore {
            let boot = state.withLock { $0.boot }
            let time = StoreClock(
                boot: boot,
                wall: { [clock] in clock.now.milliseconds },
                ticks: { [state] in state.withLock { $0.ticks } }
            )
            return try SQLiteAccountStore(folder.database, patience: .seconds(10), time: time)
        }

        func pass(_ time: Duration) {
            state.withLock { $0.ticks += Int64(time / .milliseconds(1)) }
            clock.advance(by: time)
        }

        /// Turns the machine off for some time; it starts again with another time of day.
        func restarts(after time: Duration, setting wall: Duration) {
            state.withLock { $0 = (5, $0.boot + "+") }
            clock.advance(by: time + wall)
        }
    }

    private func events(_ store: any AccountStore, _ statuses: Set<AccountEventStatus>) throws -> [AccountEventStatus] {
        try store.reading { (transaction) throws(ManagementError) in
            try transaction.events(after: 0, limit: .max).map(\.status).filter(statuses.contains)
        }
    }

    private static let steps: Set<AccountEventStatus> = [.serviceUnreachable, .blocked, .removed, .wiped]

    @Test(
        "is warned of, then blocked in each process and refused, until the service answers again",
        .guide("an offline grace period"),
        arguments: [EnrollmentFailure(.unreachable, "down"), EnrollmentFailure(.notLicensed, "no seat")]
    )
    func isWarnedOfAndBlocked(_ failure: EnrollmentFailure) async throws {
        let scene = try await RegistryScene(configuration: Self.limits).enrolled(ada)
        let other = scene.beside()
        try await other.registry.start()
        scene.service.script.withLock { $0.checking = { _ in throw failure } }
        await scene.pass(hours: 3 * 24 - 1)
        #expect(try events(scene.store, Self.steps).isEmpty)
        await scene.pass(hours: 2)
        #expect(try events(scene.store, Self.steps) == [.serviceUnreachable])
        for _ in 0..<10 { await scene.pass(hours: 24) }
        await scene.pass(hours: 22)
        for each in [scene, other] {
            await each.registry.runDue()
            try each.registry.admit(ada)
            #expect(each.accounts.decide(.sendOut, for: ada).isAllowed)
        }
        await scene.pass(hours: 1)
        await other.registry.runDue()
        // The next program blocks it before anything runs.
        let next = scene.beside()
        try await next.registry.start()
        for each in [scene, other, next] {
            expect(throws: ManagementError.Code.offlineTooLong) { try each.registry.admit(ada) }
            #expect(!each.accounts.decide(.sendOut, for: ada).isAllowed && each.accounts.isManaged(ada))
            #expect(each.accounts.switchRefusal(of: ada) != nil)
        }
        #expect(try events(scene.store, Self.steps) == [.serviceUnreachable, .blocked])
        scene.service.script.withLock { $0.checking = { _ in .unchanged } }
        await scene.pass(hours: 9)
        for each in [scene, other, next] {
            await each.registry.runDue()
            try each.registry.admit(ada)
            #expect(each.accounts.decide(.sendOut, for: ada).isAllowed && each.accounts.switchRefusal(of: ada) == nil)
        }
        // Also from the beginning.
        scene.service.script.withLock { $0.checking = { _ in throw failure } }
        await scene.pass(hours: 3 * 24 + 8)
        #expect(try events(scene.store, Self.steps) == [.serviceUnreachable, .blocked, .serviceUnreachable])
    }

    @Test("is blocked in a process that starts after the limit passed unrecorded, before anything runs")
    func isBlockedFromTheStartOn() async throws {
        let scene = try await RegistryScene(configuration: Self.limits).enrolled(ada)
        scene.clock.advance(by: Self.day * 20)
        let next = try await scene.startedAgain()
        let refusal = #expect(throws: ManagementError.self) { try next.registry.admit(ada) }
        #expect(refusal?.code == .offlineTooLong && !next.accounts.decide(.sendOut, for: ada).isAllowed)
        #expect(try events(scene.store, Self.steps) == [.serviceUnreachable, .blocked])
    }

    @Test("is wiped after the limit, once it is blocked and two more checks have failed, and never by default")
    func isWiped() async throws {
        for (wipe, statuses) in [
            (Self.day * 40, [.serviceUnreachable, .blocked, .removed, .wiped]), (nil, [.serviceUnreachable, .blocked]),
        ]
            as [(Duration?, [AccountEventStatus])]
        {
            var configuration = Self.limits
            configuration.offlineWipe = wipe
            let (scene, bob) = (RegistryScene(configuration: configuration), RegistryScene.account())
            try await scene.enroll(bob)
            scene.service.script.withLock { $0.checking = { _ in throw EnrollmentFailure(.unreachable, "down") } }
            // No request was made for so long, and the first check is one of two.
            scene.clock.advance(by: Self.day * 60)
            await scene.registry.runDue()
            #expect(try events(scene.store, Self.steps) == [.serviceUnreachable, .blocked])
            #expect(scene.service.calls.count { $0.hasPrefix("check") } == 1 && !IdentityRevocation.isRevoked(bob))
            await scene.pass(hours: 8)
            if wipe != nil { _ = await scene.statuses(until: .wiped) }
            #expect(try events(scene.store, Self.steps) == statuses)
            #expect(scene.wiped.withLock { $0 } == (wipe == nil ? [] : [bob]))
        }
    }

    @Test(
        "is wiped by time that has passed, and blocked by time that may have passed, whatever the time of day says",
        arguments: [-400, -1, 0, 1, 400],
        [false, true]
    )
    func isWipedByTimeThatHasPassed(_ days: Int, restarting: Bool) async throws {
        let (folder, machine) = (try DatabaseFolder(), Machine())
        var store = try machine.store(folder)
        var scene = RegistryScene(configuration: Self.limits, store: store, clock: machine.clock)
        try await scene.enroll(ada)
        scene.service.script.withLock { $0.checking = { _ in throw EnrollmentFailure(.unreachable, "down") } }
        machine.pass(Self.day * 13)
        await scene.registry.runDue()
        if restarting {
            scene.registry.abandon()
            machine.restarts(after: .seconds(60), setting: Self.day * days)
            store = try machine.store(folder)
            scene = RegistryScene(
                configuration: Self.limits,
                store: store,
                clock: machine.clock,
                service: scene.service
            )
            try await scene.registry.start()
        } else {
            machine.clock.advance(by: Self.day * days)
        }
        await scene.registry.runDue()
        // A time of day that is ahead counts only if the machine was off, and only to block.
        #expect(scene.accounts.isBlocked(ada) == (restarting && days > 0))
        machine.pass(Self.day)
        await scene.registry.runDue()
        machine.pass(.seconds(60))
        await scene.registry.runDue()
        #expect(scene.accounts.isBlocked(ada))
        // The change of the time of day can have delayed the checks by an interval.
        for _ in 0..<(25 * 3) {
            machine.pass(.seconds(8 * 3_600))
            await scene.registry.runDue()
        }
        #expect(!IdentityRevocation.isRevoked(ada), "39 days")
        for _ in 0..<6 {
            machine.pass(.seconds(8 * 3_600))
            await scene.registry.runDue()
        }
        #expect(IdentityRevocation.isRevoked(ada), "41 days")
    }
}
