import Foundation
import MultiIdentity
@_spi(Stores) @_spi(Checks) import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

@Suite("A store of accounts", .rule("15.10")) struct StoredAccountTests {
    enum Kind: CaseIterable, Sendable { case memory, database }

    private func store(_ kind: Kind, in folder: DatabaseFolder) throws -> any AccountStore {
        kind == .memory ? SQLiteAccountStore() : try SQLiteAccountStore(folder.database)
    }

    @Test("keeps its promises", arguments: AccountStorePromise.allCases, Kind.allCases)
    func keepsItsPromises(_ promise: AccountStorePromise, _ kind: Kind) throws {
        let folder = try DatabaseFolder()
        #expect(try promise.faults(of: store(kind, in: folder)) == [])
    }

    @Test("without the features that a store needs is refused, and a store that has them is named")
    func refusesWithoutWhatAStoreKeeps() {
        struct Empty: AccountStore {}
        let failure = #expect(throws: ManagementError.self) {
            try Empty().reading { (transaction) throws(ManagementError) in try transaction.lastEvent() }
        }
        #expect(failure?.code == .unavailable && failure?.message.contains("SQLiteAccountStore") == true)
    }

    @Test("has each timer in one process, and each event in all") func hasEachTimerInOneProcess() async throws {
        let folder = try DatabaseFolder()
        let (clock, service) = (SteppedClock(), ScriptedService())
        let scenes = try (0..<3).map { _ in
            RegistryScene(store: try SQLiteAccountStore(folder.database, clock: clock), clock: clock, service: service)
        }
        for scene in scenes { try await scene.registry.start() }
        let users = (0..<20).map { _ in RegistryScene.account() }
        for user in users { try scenes[0].registry.register(user) }
        for _ in users { _ = await scenes[0].statuses(until: .restartRequested) }
        clock.advance(by: .seconds(9 * 3_600))
        await withTaskGroup(of: Void.self) { group in
            for scene in scenes { group.addTask { await scene.registry.runDue() } }
        }
        for scene in scenes { await scene.registry.runDue() }
        for user in users { #expect(service.calls.count { $0 == "check \(user)" } == 1) }
        for scene in scenes { #expect(scene.accounts.enrolledIdentities == Set(users)) }
        try scenes[1].registry.remove(users[0], because: "left")
        await scenes[2].registry.runDue()
        #expect(!scenes[2].accounts.enrolledIdentities.contains(users[0]))
    }

    @Test("that is notified of another process's change has it read at once, not only when time has passed")
    func thatHearsOfAnotherProcess() async throws {
        let store = DisturbedStore()
        let (clock, service) = (store.clock, ScriptedService())
        let (one, other) = (
            RegistryScene(store: store, clock: clock, service: service),
            RegistryScene(store: store.base, clock: clock, service: service)
        )
        try await one.registry.start()
        try await other.registry.start()
        let timers = Task { await one.registry.run() }
        await eventually { store.changed.withLock { $0 != nil } }
        let ada = RegistryScene.account()
        try await other.enroll(ada)
        // The clock stands still.
        store.changed.withLock { $0 }?()
        _ = await one.statuses(until: .restartRequested)
        #expect(one.accounts.isManaged(ada))
        timers.cancel()
        await timers.value
        #expect(store.changed.withLock { $0 == nil }, "who does not run asks for nothing")
    }

    #if compiler(>=6.3)  // an exit test that captures
    @Test("has every acknowledged change after the process was killed, and only whole changes")
    func hasEveryChangeAfterAKill() async throws {
        let folder = try DatabaseFolder()
        for count in 1...5 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = folder.database as String, count = count as Int] in
                let store = try SQLiteAccountStore(path)
                for number in 0..<count {
                    let user = try Identity("user\(count).\(number)@contoso.com")
                    try store.transaction { (transaction) throws(ManagementError) in
                        try transaction.put(AccountRecord(user))
                    }
                }
                let half = try Identity("half@contoso.com")
                try store.transaction { (transaction) throws(ManagementError) in
                    try transaction.put(AccountRecord(half))
                    kill(getpid(), SIGKILL)
                }
            }
            let kept = try SQLiteAccountStore(folder.database).transaction {
                (transaction) throws(ManagementError) in try transaction.accounts(nil).count
            }
            #expect(kept == count * (count + 1) / 2)
        }
    }
    #endif

    @Test("releases the request of a killed process once its lease has ended") func letsGoOfARequest() async throws {
        let scene = RegistryScene()
        let ada = RegistryScene.account()
        try scene.store.transaction { (transaction) throws(ManagementError) in
            try transaction.put(AccountRecord(ada, due: scene.clock.now))
        }
        let claimed = try #require(scene.registry.claimDue())
        #expect(claimed.count == 1 && scene.registry.claimDue() == [])
        let next = try await scene.startedAgain()
        await next.registry.runDue()
        #expect(scene.service.calls.isEmpty)
        await next.pass(hours: 1)
        await next.registry.request(claimed[0], with: nil)
        #expect(next.accounts.isManaged(ada))
        let enrolled = try next.storedEvents().count { $0.status == .enrolled }
        #expect(enrolled == 1)
    }
}
