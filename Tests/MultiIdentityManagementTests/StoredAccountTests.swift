import Foundation
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

@Suite("A store of accounts") struct StoredAccountTests {
    enum Kind: CaseIterable, Sendable { case memory, database }

    private func store(_ kind: Kind, in folder: DatabaseFolder) throws -> any AccountStore {
        kind == .memory ? AccountsInMemory() : try SQLiteAccountStore(folder.database)
    }

    private func record(_ name: String, due: Int64?) throws -> AccountRecord {
        var record = AccountRecord(try Identity(name), .enrolled, due: due.map(WallInstant.init(milliseconds:)))
        (record.runs, record.lease, record.hadPolicy, record.policyText) = (7, "a/1", true, "{\u{1F600}}")
        record.lastRun = WallInstant(milliseconds: -1)
        record.configurationText = "{}"
        return record
    }

    @Test("gives back what was put in, in every spelling of the name", .rule("15.10"), arguments: Kind.allCases)
    func givesBackWhatWasPutIn(_ kind: Kind) throws {
        let folder = try DatabaseFolder()
        let store = try store(kind, in: folder)
        let (ada, bob) = (try record("Ada@contoso.com", due: 5), try record("bob@contoso.com", due: nil))
        let other = try Identity("ADA@CONTOSO.COM")
        try store.transaction { (transaction) throws(AccountStoreError) in
            for one in [ada, bob] { try transaction.put(one) }
            try transaction.setAlias(.nobody, of: ada.identity)
        }
        try store.transaction { (transaction) throws(AccountStoreError) in
            let found = try transaction.account(other)
            #expect(found == ada && found?.identity.name == "Ada@contoso.com")
            let isNoneBefore = try transaction.due(at: WallInstant(milliseconds: 4), limit: 9).isEmpty
            #expect(isNoneBefore)
            let isDue = try transaction.due(at: WallInstant(milliseconds: 5), limit: 9) == [ada]
            #expect(isDue)
            let isNext = try transaction.nextDue() == WallInstant(milliseconds: 5)
            #expect(isNext)
            let areEnrolled = try Set(transaction.accounts(.enrolled)) == [ada, bob]
            #expect(areEnrolled)
            let noneIsWiped = try transaction.accounts(.wiping).isEmpty
            #expect(noneIsWiped)
            try transaction.remove(other)
            let (gone, alias) = (try transaction.account(ada.identity), try transaction.account(ofAlias: .nobody))
            #expect(gone == nil && alias == nil)
        }
    }

    @Test("keeps nothing of a transaction that throws", .rule("15.10"), arguments: Kind.allCases)
    func keepsNothingOfATransactionThatThrows(_ kind: Kind) throws {
        let folder = try DatabaseFolder()
        let store = try store(kind, in: folder)
        let (ada, bob) = (try record("ada@contoso.com", due: 5), try record("bob@contoso.com", due: nil))
        let event = AccountEvent(ada.identity, .enrolled, "text", at: WallInstant(milliseconds: 1), from: "one")
        try store.transaction { (transaction) throws(AccountStoreError) in
            try transaction.put(ada)
            _ = try transaction.add(event)
        }
        #expect(throws: AccountStoreError.self) {
            try store.transaction { (transaction) throws(AccountStoreError) in
                try transaction.remove(ada.identity)
                try transaction.put(bob)
                try transaction.setAlias(bob.identity, of: ada.identity)
                _ = try transaction.add(event)
                try transaction.forgetEvents(before: WallInstant(milliseconds: 9))
                throw AccountStoreError(.unavailable, "on purpose")
            }
        }
        try store.transaction { (transaction) throws(AccountStoreError) in
            let (left, alias) = (try transaction.accounts(nil), try transaction.account(ofAlias: bob.identity))
            #expect(left == [ada] && alias == nil)
            let (events, last) = (try transaction.events(after: 0, limit: 9), try transaction.lastEvent())
            #expect(events.map(\.number) == [1] && last == 1)
        }
    }

    @Test("has each timer in one process, and each event in all", .rule("15.10"))
    func hasEachTimerInOneProcess() async throws {
        let folder = try DatabaseFolder()
        let (clock, service) = (SteppedClock(), ScriptedService())
        let scenes = try (0..<3).map { _ in
            RegistryScene(store: try SQLiteAccountStore(folder.database), clock: clock, service: service)
        }
        for scene in scenes { try await scene.registry.start() }
        let users = (0..<20).map { _ in RegistryScene.account() }
        for user in users { try scenes[0].registry.register(user) }
        for _ in users { _ = await scenes[0].statuses(until: .restartWanted) }
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

    @Test("has every change that was acknowledged after the process was killed, and whole ones alone", .rule("15.10"))
    func hasEveryChangeAfterAKill() async throws {
        let folder = try DatabaseFolder()
        for count in 1...5 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = folder.database as String, count = count as Int] in
                let store = try SQLiteAccountStore(path)
                for number in 0..<count {
                    let user = try Identity("user\(count).\(number)@contoso.com")
                    try store.transaction { (transaction) throws(AccountStoreError) in
                        try transaction.put(AccountRecord(user))
                    }
                }
                let half = try Identity("half@contoso.com")
                try store.transaction { (transaction) throws(AccountStoreError) in
                    try transaction.put(AccountRecord(half))
                    kill(getpid(), SIGKILL)
                }
            }
            let kept = try SQLiteAccountStore(folder.database).transaction {
                (transaction) throws(AccountStoreError) in try transaction.accounts(nil).count
            }
            #expect(kept == count * (count + 1) / 2)
        }
    }

    @Test("lets go of a request whose process was killed, once its lease has ended", .rule("15.10"))
    func letsGoOfARequest() async throws {
        let scene = RegistryScene()
        let ada = RegistryScene.account()
        try scene.store.transaction { (transaction) throws(AccountStoreError) in
            try transaction.put(AccountRecord(ada, due: scene.clock.now))
        }
        let claimed = try #require(scene.registry.claimDue())
        #expect(claimed.count == 1 && scene.registry.claimDue() == [])
        let next = scene.restarted()
        try await next.registry.start()
        await next.registry.runDue()
        #expect(scene.service.calls.isEmpty)
        await next.pass(hours: 1)
        await next.registry.request(claimed[0], with: nil)
        #expect(next.accounts.isManaged(ada))
        let enrolled = try next.store.transaction { (transaction) throws(AccountStoreError) in
            try transaction.events(after: 0, limit: 9).count { $0.status == .enrolled }
        }
        #expect(enrolled == 1)
    }
}
