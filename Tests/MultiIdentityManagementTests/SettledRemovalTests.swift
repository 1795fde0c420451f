import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

@Suite("A removal") struct SettledRemovalTests {
    private static let configuration = ManagementConfiguration.with { $0.heartbeatTimeout = .seconds(3_600) }

    /// Returns processes on one store, all with the account enrolled.
    private func scenes(
        _ count: Int,
        enrolling identity: Identity,
        configuration: ManagementConfiguration = configuration
    ) async throws -> [RegistryScene] {
        let (clock, service) = (SteppedClock(), ScriptedService())
        let store = SQLiteAccountStore(clock: clock)
        let scenes = (0..<count).map { _ in
            RegistryScene(configuration: configuration, store: store, clock: clock, service: service)
        }
        for scene in scenes { try await scene.registry.start() }
        try await scenes[0].enroll(identity)
        for scene in scenes { await scene.registry.runDue() }
        return scenes
    }

    private func events(of scene: RegistryScene) throws -> [AccountEvent] {
        try scene.storedEvents()
    }

    @Test(
        "is settled once every running process knows of it, and no sooner",
        .rule("15.11"),
        .guide("unenrolled by an administrator")
    )
    func isSettledOnceEveryProcessHasHeard() async throws {
        let (ada, bob) = (RegistryScene.account(), RegistryScene.account())
        let scenes = try await scenes(3, enrolling: ada)
        #expect(try await scenes[0].registry.waitUntilSettled(timeout: .zero), "nobody was removed")
        try scenes[0].registry.remove(ada, because: "left")
        for scene in scenes.prefix(2) {
            #expect(try await !scene.registry.waitUntilSettled(timeout: .milliseconds(10)), "whoever removed it")
        }
        await scenes[1].registry.runDue()
        #expect(
            try await !scenes[0].registry.waitUntilSettled(timeout: .milliseconds(10)),
            "one of two others has heard"
        )
        await scenes[2].registry.runDue()
        #expect(try await scenes[0].registry.waitUntilSettled(timeout: .seconds(60)))
        // By a process that was notified of it twice, since the one before did not answer.
        try scenes[1].registry.remove(ada, because: "left")
        for scene in scenes { await scene.registry.runDue() }
        #expect(try await scenes[1].registry.waitUntilSettled(timeout: .seconds(60)))
        // An identity that is registered nowhere is revoked everywhere.
        try scenes[2].registry.remove(bob, because: "left")
        #expect(try await !scenes[2].registry.waitUntilSettled(timeout: .milliseconds(10)))
        for scene in scenes { await scene.registry.runDue() }
        #expect(try await scenes[2].registry.waitUntilSettled(timeout: .seconds(60)))
    }

    @Test("of an account that is revoked only here is announced to others, and settled once they know", .rule("15.11"))
    func isToldToOthers() async throws {
        let ada = RegistryScene.account()
        let scenes = try await scenes(2, enrolling: ada)
        // As by a sign-out, which deregisters: no other process has revoked it.
        IdentityRevocation.revoke(ada, for: .signedOut)
        await eventually { (try? events(of: scenes[0]).contains { $0.status == .serviceNotified }) ?? false }
        for scene in scenes { await scene.registry.runDue() }
        try scenes[0].registry.remove(ada, because: "left")
        #expect(try await !scenes[0].registry.waitUntilSettled(timeout: .milliseconds(10)))
        await scenes[1].registry.runDue()
        #expect(try await scenes[0].registry.waitUntilSettled(timeout: .seconds(60)))
        #expect(try events(of: scenes[0]).filter { $0.status == .removed }.map(\.identity) == [ada])
    }

    @Test("of an account that signed out and is expected back wipes nothing, and is otherwise the same", .rule("15.11"))
    func ofWhoHasSignedOutWipesNothing() async throws {
        let ada = RegistryScene.account()
        let scenes = try await scenes(2, enrolling: ada)
        try scenes[0].registry.remove(ada, because: "its sessions are over", wiping: false)
        #expect(try await !scenes[0].registry.waitUntilSettled(timeout: .milliseconds(10)))
        await scenes[1].registry.runDue()
        #expect(try await scenes[0].registry.waitUntilSettled(timeout: .seconds(60)))
        for scene in scenes { await scene.pass(hours: 26) }
        #expect(scenes.allSatisfy { $0.wiped.withLock { $0.isEmpty } })
        #expect(try scenes[1].registry.account(ada) == nil && IdentityRevocation.isRevoked(ada))
    }

    @Test("is settled after a sign-out with a wipe only when every process knows of the sign-out", .rule("15.11"))
    func isSettledBehindASignOut() async throws {
        let (ada, clock, gate) = (RegistryScene.account(), SteppedClock(), Promise<Void>())
        let store = SQLiteAccountStore(clock: clock)
        let scenes = (0..<2).map { _ in
            RegistryScene(
                configuration: Self.configuration,
                store: store,
                clock: clock,
                wipe: { _ in
                    await gate.wait()
                    return true
                }
            )
        }
        for scene in scenes { try await scene.registry.start() }
        try await scenes[0].enroll(ada)
        let leaving = Task { try await scenes[0].registry.deregister(ada) }
        await eventually { IdentityRevocation.isRevoked(ada) }
        try scenes[0].registry.remove(ada, because: "left")
        #expect(try await !scenes[0].registry.waitUntilSettled(timeout: .milliseconds(10)))
        await scenes[1].registry.runDue()
        #expect(try await scenes[0].registry.waitUntilSettled(timeout: .seconds(60)))
        gate.give(())
        try await leaving.value
    }

    @Test("waits for work that has begun, in whichever process it runs", .rule("15.11"))
    func waitsForWorkThatHadBegun() async throws {
        IdentityRevocation.isOn = true
        let ada = RegistryScene.account()
        let scenes = try await scenes(2, enrolling: ada)
        let (isOver, end) = AsyncStream.makeStream(of: Void.self)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            await withIdentity(ada) {
                begin.finish()
                for await _ in isOver {}
            }
        }
        for await _ in begun {}
        try scenes[0].registry.remove(ada, because: "left")
        await scenes[1].registry.runDue()
        #expect(try await !scenes[0].registry.waitUntilSettled(timeout: .milliseconds(20)))
        end.finish()
        await work.value
        #expect(try await scenes[0].registry.waitUntilSettled(timeout: .seconds(60)))
    }

    @Test("does not wait for a process that has ended, with or without notice", .rule("15.11"))
    func waitsForNoProcessThatIsGone() async throws {
        let (ada, bob) = (RegistryScene.account(), RegistryScene.account())
        let scenes = try await scenes(3, enrolling: ada)
        // This process ended: nothing waits for it.
        let timers = Task { await scenes[2].registry.run() }
        timers.cancel()
        await timers.value
        try scenes[0].registry.remove(bob, because: "left")
        await scenes[1].registry.runDue()
        #expect(try await scenes[0].registry.waitUntilSettled(timeout: .seconds(60)))
        // This process was killed: its heartbeat is waited for.
        scenes[1].registry.abandon()
        try scenes[0].registry.remove(ada, because: "left")
        #expect(try await !scenes[0].registry.waitUntilSettled(timeout: .milliseconds(10)))
        scenes[0].clock.advance(by: .seconds(3_601))
        #expect(try await scenes[0].registry.waitUntilSettled(timeout: .seconds(60)))
    }

    @Test(
        "waits for every live process, and reaches it, even if another clock is days ahead",
        .rule("15.10", "15.11"),
        arguments: [2, 8]
    )
    func waitsThoughAClockIsAhead(days: Int) async throws {
        let ada = RegistryScene.account()
        let scenes = try await scenes(2, enrolling: ada)
        try scenes[0].registry.remove(ada, because: "left", wiping: false)
        let ahead = SteppedClock()
        ahead.advance(to: scenes[0].clock.now.advanced(by: .seconds(days * 86_400)))
        let late = RegistryScene(configuration: Self.configuration, store: scenes[0].store, clock: ahead)
        try await late.registry.start()
        await late.registry.runDue()
        #expect(try await !scenes[0].registry.waitUntilSettled(timeout: .milliseconds(10)))
        await scenes[1].registry.runDue()
        #expect(!scenes[1].accounts.isManaged(ada))
        #expect(try await scenes[0].registry.waitUntilSettled(timeout: .seconds(60)))
    }

    @Test("reaches a process that is starting, or that process has no such account enrolled", .rule("15.11"))
    func isHeardOfByAProcessThatIsStarting() async throws {
        let store = DisturbedStore()
        let scene = RegistryScene(configuration: Self.configuration, store: store)
        try await scene.registry.start()
        #expect(store.presences.withLock { $0.first } == 1, "it is there before it reads who is enrolled")
        #expect(store.presences.withLock { $0.count } > 1)
    }

    @Test(
        "that the store refuses is an error, revokes here, and is written the next time",
        .rule("15.11"),
        arguments: [DisturbedStore.Failing.writes, .all]
    )
    func thatTheStoreDoesNotTake(_ failing: DisturbedStore.Failing) async throws {
        let (ada, store) = (RegistryScene.account(), DisturbedStore())
        let scene = RegistryScene(configuration: Self.configuration, store: store)
        try await scene.registry.start()
        store.fail(failing)
        let failure = #expect(throws: ManagementError.self) { try scene.registry.remove(ada, because: "left") }
        #expect(failure?.code == .storeFailed && IdentityRevocation.isRevoked(ada))
        store.fail(nil)
        try scene.registry.remove(ada, because: "left")
        let removals = try store.base.transaction { (transaction) throws(ManagementError) in
            try transaction.events(after: 0, limit: 9).filter { $0.status == .removed }.map(\.identity)
        }
        #expect(removals == [ada])
    }

    @Test("cannot be missed at work: a process without access to the store admits no work", .rule("15.11"))
    func cannotBeMissedAtWork() async throws {
        let (ada, store) = (RegistryScene.account(), DisturbedStore())
        let scene = RegistryScene(configuration: .with { $0.heartbeatTimeout = .milliseconds(150) }, store: store)
        func code() -> ManagementError.Code? {
            do throws(ManagementError) { try scene.registry.admit(ada) } catch { return error.code }
            return nil
        }
        #expect(code() == .heartbeatMissed, "it has not started")
        try await scene.registry.start()
        await eventually { code() == .heartbeatMissed }
        try #require(code() == .heartbeatMissed)
        let timers = Task { await scene.registry.run() }
        await eventually { code() == nil }
        store.fail(.all)
        await eventually { code() == .heartbeatMissed }
        timers.cancel()
        await timers.value
        #expect(code() == .heartbeatMissed)
        try scene.registry.admit(nil)
        try RegistryScene(store: store.base).registry.admit(ada)
    }
}
