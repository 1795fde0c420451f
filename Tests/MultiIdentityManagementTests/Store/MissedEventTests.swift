import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityPolicy
import Testing

@_spi(Stores) @testable import MultiIdentityManagement

@Suite("A process") struct MissedEventTests {
    private let ada = RegistryScene.account()
    private let bob = RegistryScene.account()

    @Test(
        "that missed events reads all accounts before it announces any, also if the store was restored",
        .rule("15.7", "15.10"),
        arguments: [
            // The events are forgotten, as if no one had known that the process was running.
            "DELETE FROM events WHERE number < 10",
            // A restored copy with a different history since, and one that is behind.
            "UPDATE events SET text = 'another' WHERE number <= 6",
            "DELETE FROM events WHERE number > 2; UPDATE store SET last_event = 2",
        ]
    )
    func thatMissedEvents(_ statements: String) async throws {
        let (folder, clock, service) = (try DatabaseFolder(), SteppedClock(), ScriptedService())
        let eve = RegistryScene.account()
        let scenes = try (0..<2).map { _ in
            RegistryScene(
                store: try SQLiteAccountStore(folder.database, clock: clock),
                clock: clock,
                service: service
            )
        }
        for scene in scenes { try await scene.registry.start() }
        for account in [ada, bob] { try await scenes[0].enroll(account) }
        await scenes[1].registry.runDue()
        // This process is notified of nothing: she signs out and is not revoked, and another account is enrolled.
        try await scenes[0].registry.deregister(ada, wiping: false)
        _ = await scenes[0].statuses(until: .serviceNotified)
        try await scenes[0].enroll(eve)
        folder.change(statements)
        await scenes[0].registry.runDue()
        let seen = Locked<[(Identity, AccountEventStatus, Int64, isManaged: Bool)]>([])
        let subscription = scenes[1].registry.onEvent { [ada, accounts = scenes[1].accounts] event in
            seen.withLock { $0.append((event.identity, event.status, event.number, accounts.isManaged(ada))) }
        }
        await scenes[1].registry.runDue()
        #expect(scenes[1].accounts.enrolledIdentities == [bob, eve] && IdentityRevocation.isRevoked(ada))
        try await scenes[0].enroll(RegistryScene.account())
        await scenes[1].registry.runDue()
        subscription.cancel()
        let all = seen.withLock { $0 }
        #expect(all.map(\.1) == [.eventsMissed, .removed, .enrolled, .restartRequested])
        #expect(all.prefix(2).map(\.0) == [.nobody, ada] && all.prefix(2).map(\.2) == [0, 0])
        #expect(all.allSatisfy { !$0.isManaged }, "she is gone before it announces any")
    }

    @Test("whose store was restored waits for no removal that the store does not contain", .rule("15.11"))
    func whoseStoreWasPutBack() {
        let removals = Removals()
        removals.begin(after: 0)
        removals.skip(to: 13, removing: 1)
        #expect(removals.settled < removals.last)
        removals.drained(13)
        #expect(removals.settled == removals.last)
        removals.skip(to: 5, removing: 0)
        #expect(removals.settled == 5 && removals.last == 5)
    }

    @Test("whose store was restored has settled nothing before it has read all accounts again", .rule("15.11"))
    func whoseStoreIsReadAgain() async throws {
        let (folder, clock) = (try DatabaseFolder(), SteppedClock())
        let scene = RegistryScene(store: try SQLiteAccountStore(folder.database, clock: clock), clock: clock)
        try await scene.registry.start()
        try await scene.enroll(ada)
        await scene.registry.hasFollowed()
        // Another thread announces events at that moment; so does the one that reads again.
        let (isTelling, goOn) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        let subscription = scene.registry.onEvent { _ in
            isTelling.continuation.yield()
            goOn.wait()
        }
        Thread.detachNewThread { [bob] in try? scene.registry.register(bob) }
        for await _ in isTelling.stream { break }
        subscription.cancel()
        folder.change("DELETE FROM events WHERE number > 2; UPDATE store SET last_event = 2")
        #expect(try await !scene.registry.waitUntilSettled(timeout: .zero))
        goOn.signal()
        #expect(try await scene.registry.waitUntilSettled(timeout: .seconds(60)))
    }

    @Test("that learns late that an account left does not remove it if it is back", .rule("15.6"))
    func thatHearsLate() async throws {
        IdentityRevocation.isOn = true
        let scene = RegistryScene()
        try await scene.registry.start()
        try await scene.enroll(ada)
        let before = withIdentity(ada) { IdentitySnapshot.capture() }
        try scene.store.transaction { [ada, clock = scene.clock] (transaction) throws(ManagementError) in
            // Another process removed it, and it has signed in again there and here.
            guard var record = try transaction.account(ada) else { return }
            record.life = 1 + (try transaction.add(AccountEvent(ada, .removed, "left", at: clock.now, from: "other")))
            try transaction.put(record)
        }
        await scene.registry.runDue()
        // Work that was captured earlier now runs as nobody.
        await eventually { before.restore { Identity.current } == .nobody }
        await eventually { scene.accounts.isManaged(ada) && !IdentityRevocation.isRevoked(ada) }
        #expect(try scene.registry.account(ada)?.stage == .enrolled)
    }

    @Test("without callers waiting for it admits nothing before it has read on", .rule("15.11"))
    func thatNobodyWaitedFor() async throws {
        let store = DisturbedStore()
        let scene = RegistryScene(
            configuration: .with { $0.heartbeatTimeout = .seconds(3_600) },
            store: store,
            clock: store.clock
        )
        // Just before this process reports that it is running again, another one removes her.
        store.interrupt.withLock { [ada, clock = scene.clock] in
            $0 = { (transaction) throws(ManagementError) in
                _ = try transaction.add(AccountEvent(ada, .removed, "left", at: clock.now, from: "other"))
            }
        }
        _ = try scene.registry.registeredAccounts()
        let timers = Task { await scene.registry.run() }
        await eventually { (try? scene.registry.admit(bob)) != nil }
        #expect(IdentityRevocation.isRevoked(ada))
        timers.cancel()
        await timers.value
    }
}
