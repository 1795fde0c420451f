import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityPolicy
import Testing

@testable import MultiIdentityManagement

@Suite("An alias of an account") struct AccountAliasTests {
    private let ada = RegistryScene.account()
    private let name = "oid-\(UUID())"

    @Test(
        "is the account in each process that shares the store, also in the next one",
        .rule("15.12"),
        .guide("an account by its object id")
    )
    func isTheAccountInEachProcess() async throws {
        let (store, service) = (SQLiteAccountStore(), ScriptedService())
        let scene = RegistryScene(store: store, service: service)
        let other = RegistryScene(store: store, service: service)
        try await other.registry.start()
        try scene.registry.register(ada)
        try scene.registry.addAlias(Identity(name), of: ada)
        #expect(try Identity(name) == ada)
        try scene.registry.addAlias(Identity(name), of: ada)  // again, by what is the account by now
        #expect(!other.registry.aliases.has(ada))
        await other.registry.runDue()
        #expect(other.registry.aliases.has(ada), "the event has been heard")
        let added = try store.reading { (transaction) throws(AccountStoreError) in
            try transaction.events(after: 0, limit: .max).count { $0.status == .aliasAdded }
        }
        #expect(added == 1)
        let next = RegistryScene(store: store, service: service)
        #expect(!next.registry.aliases.has(ada))
        try await next.registry.start()
        #expect(next.registry.aliases.has(ada))
        try await next.registry.deregister(ada, wiping: false)
        for process in [scene, other] { await process.registry.runDue() }
        #expect(try Identity(name) != ada, "it has left, and nobody revoked it")
    }

    @Test("is revoked with it, and stands for it as long as it is wiped", .rule("15.12"))
    func isRevokedWithIt() async throws {
        let (wiped, scenes) = (Locked<[Identity: Int]>([:]), Locked<[Bool]>([]))
        let (ada, name) = (ada, name)
        // The file system of a process that read owners before it knew of the alias.
        let before = try Identity(name)
        let scene = RegistryScene(wipe: { identity in
            let isAdas = (try? Identity(name)) == ada
            scenes.withLock { $0.append(isAdas) }
            return wiped.withLock { wiped in
                wiped[identity, default: 0] += 1
                return wiped[identity] == 2
            }
        })
        try scene.registry.register(ada)
        _ = await scene.statuses(until: .restartWanted)
        try scene.registry.addAlias(Identity(name), of: ada)
        try scene.registry.remove(Identity(name), because: "left")
        #expect(IdentityRevocation.isRevoked(ada) && IdentityRevocation.isRevoked(before))
        _ = await scene.statuses(until: .wipeIncomplete)
        #expect(try Identity(name) == ada)
        let kept = try scene.store.reading { (transaction) throws(AccountStoreError) in
            try transaction.aliases(of: ada)
        }
        #expect(kept.count == 1, "the next process finds what is under it, too")
        await scene.pass(hours: 26)
        _ = await scene.statuses(until: .wiped)
        #expect(wiped.withLock { $0 } == [ada: 2, before: 2])
        #expect(scenes.withLock { $0 } == [true, true, true, true])
        #expect(try IdentityRevocation.isRevoked(Identity(name)), "it is signed out under all of its names")
    }

    @Test("of who has left is nobody else's in place of theirs, and is free once they are readmitted", .rule("15.12"))
    func isNotGivenToAnother() async throws {
        let (scene, bob) = (RegistryScene(), RegistryScene.account())
        for account in [ada, bob] { try scene.registry.register(account) }
        try scene.registry.addAlias(Identity(name), of: ada)
        try scene.registry.remove(ada, because: "its sessions are over", wiping: false)
        let failure = #expect(throws: AccountRegistryError.self) {
            try scene.registry.addAlias(Identity(name), of: bob)
        }
        #expect(failure?.code == .aliasTaken)
        #expect(try scene.registry.resolve(ada) == ada, "her own name is not his")
        IdentityRevocation.readmit(ada)
        #expect(try Identity(name) != ada)
        try scene.registry.addAlias(Identity(name), of: bob)
        #expect(try Identity(name) == bob && ada != bob)
    }

    @Test("is the account when its addition returns, though another thread tells of events just then", .rule("15.12"))
    func isInForceAtOnce() async throws {
        let (scene, bob) = (RegistryScene(), RegistryScene.account())
        let (isTelling, goOn) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        try scene.registry.register(ada)
        let subscription = scene.registry.onEvent { _ in
            isTelling.continuation.yield()
            goOn.wait()
        }
        Thread.detachNewThread { try? scene.registry.register(bob) }
        for await _ in isTelling.stream { break }
        try scene.registry.addAlias(Identity(name), of: ada)
        #expect(try Identity(name) == ada)
        subscription.cancel()
        goOn.signal()
    }

    @Test("has work under it from before waited for, once the account was removed", .rule("15.12"))
    func hasWorkFromBeforeWaitedFor() async throws {
        IdentityRevocation.isOn = true
        let scene = RegistryScene()
        try await scene.registry.start()
        try scene.registry.register(ada)
        let before = try Identity(name)
        try scene.registry.addAlias(before, of: ada)
        let (isOver, end) = AsyncStream.makeStream(of: Void.self)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            await withIdentity(before) {
                begin.finish()
                for await _ in isOver {}
            }
        }
        for await _ in begun {}
        try scene.registry.remove(ada, because: "left")
        #expect(try await !scene.registry.settled(within: .milliseconds(10)))
        end.finish()
        await work.value
        #expect(try await scene.registry.settled(within: .seconds(60)))
    }
}
