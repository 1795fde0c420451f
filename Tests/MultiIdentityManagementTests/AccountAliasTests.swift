import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityPolicy
import Testing

@_spi(Stores) @testable import MultiIdentityManagement

@Suite("An alias of an account") struct AccountAliasTests {
    let ada = RegistryScene.account()
    let name = Users.named("oid-\(UUID())")

    /// Returns two processes on one store; the second one checks the store when a test says so.
    private func processes() async throws -> (RegistryScene, RegistryScene) {
        let present = ManagementConfiguration.with { $0.heartbeatTimeout = .seconds(3_600) }
        let (clock, service) = (SteppedClock(), ScriptedService())
        let store = SQLiteAccountStore(clock: clock)
        let scenes = (0..<2).map { _ in
            RegistryScene(standard: .nothing, configuration: present, store: store, clock: clock, service: service)
        }
        for scene in scenes { try await scene.registry.start() }
        return (scenes[0], scenes[1])
    }

    @Test(
        "is resolved in each process that shares the store, also in the next one, and is a separate name once it has left",
        .rule("15.12"),
        .guide("an account by its object id")
    )
    func isResolvedInEachProcess() async throws {
        let (scene, other) = try await processes()
        try await scene.enroll(ada)
        try scene.registry.addAlias(name, of: ada)
        try scene.registry.addAlias(name, of: ada)
        try scene.registry.addAlias(name, of: name)  // again, by its own name, which is the account's now
        #expect(scene.registry.identity(named: name) == ada && other.registry.identity(named: name) == name)
        #expect(try await !scene.registry.waitUntilSettled(timeout: .milliseconds(10)), "the other one has not heard")
        await other.registry.runDue()
        #expect(try await scene.registry.waitUntilSettled(timeout: .seconds(60)))
        #expect(try other.registry.identity(named: name.name.uppercased()) == ada)
        let added = try scene.storedEvents().count { $0.status == .aliasAdded }
        #expect(added == 1)
        let next = RegistryScene(store: scene.store, service: scene.service)
        #expect(next.registry.identity(named: name) == name)
        try await next.registry.start()
        #expect(next.registry.identity(named: name) == ada)
        try await next.registry.deregister(ada, wiping: false)
        for process in [scene, other] { await process.registry.runDue() }
        for process in [scene, other, next] {
            await eventually { process.registry.identity(named: name) == name }
        }
        try IdentityRevocation.admit(name)
    }

    @Test("is refused by each call that lets work begin, and treated as the account by the others", .rule("15.12"))
    func isRefused() async throws {
        let (scene, _) = try await processes()
        scene.service.script.withLock {
            $0.configuring = { _ in #"{"version": 1, "parts": [{"audience": "targeted", "values": {"k": "v"}}]}"# }
        }
        try await scene.enroll(ada)
        try scene.registry.addAlias(name, of: ada)
        let error = #expect(throws: ManagementError.self) { try scene.registry.admit(name) }
        #expect(error?.code == .revoked && error?.message.contains("is an alias of \(ada)") == true)
        #expect(scene.accounts.decide(.log, for: name).rule == .revoked)
        #expect(scene.registry.configuration(of: name).string("k", .any) == "v")
        #expect(try scene.registry.account(name)?.identity == ada)
        try scene.registry.register(name)  // the enrolled account
        #expect(try scene.registry.registeredAccounts().map(\.identity) == [ada])
    }

    @Test("that is revoked by itself changes nothing for the account", .rule("15.12"))
    func isRevokedByItself() async throws {
        let scene = try await RegistryScene(standard: .nothing).enrolled(ada)
        try scene.registry.addAlias(name, of: ada)
        for reason in IdentityRevocation.Reason.allCases { IdentityRevocation.revoke(name, for: reason) }
        let events = try scene.storedEvents()
        #expect(events.last?.status == .aliasAdded && !IdentityRevocation.isRevoked(ada))
        #expect(scene.accounts.policy(of: ada) == .nothing)
    }

    @Test("remains one while the account is wiped, and the wipe uses the account's own name only", .rule("15.12"))
    func staysOneWhileWiped() async throws {
        let (wiped, ada) = (Locked<[Identity]>([]), ada)
        let scene = RegistryScene(wipe: { identity in
            wiped.withLock { wiped in
                wiped.append(identity)
                return wiped.count == 2
            }
        })
        try await scene.enroll(ada)
        try scene.registry.addAlias(name, of: ada)
        try scene.registry.remove(name, because: "left")
        #expect(IdentityRevocation.all[ada] == .signedOut && IdentityRevocation.all[name] == nil)
        _ = await scene.statuses(until: .wipeIncomplete)
        let kept = try scene.store.reading { (transaction) throws(ManagementError) in
            try transaction.aliases(of: ada)
        }
        #expect(kept.count == 1, "the next process refuses it, too")
        await scene.pass(hours: 26)
        _ = await scene.statuses(until: .wiped)
        #expect(wiped.withLock { $0 } == [ada, ada])
        #expect(scene.registry.identity(named: name) == ada, "who works under it is not somebody who was never seen")
        IdentityRevocation.readmit(ada)
        await eventually { scene.registry.identity(named: name) == name }
    }

    @Test("remains one while its account is being removed, whichever thread reads the store", .rule("15.12"))
    func staysOneWhileItsAccountIsRemoved() async throws {
        let scene = try await RegistryScene().enrolled(ada)
        try scene.registry.addAlias(name, of: ada)
        scene.registry.state.removals.around(ada) {
            #expect(throws: Never.self) {
                try scene.store.transaction { [ada] (transaction) throws(ManagementError) in
                    try transaction.remove(ada)
                }
            }
            #expect(scene.registry.adoptNames(of: ada))
        }
        #expect(IdentityRevocation.account(named: name) == ada)
    }

    @Test(
        "is free for another account, or for its own, once its account is gone",
        .rule("15.12"),
        arguments: [true, false]
    )
    func isFreeOnceItsAccountIsGone(_ isAnothers: Bool) async throws {
        let (scene, bob) = (RegistryScene(), RegistryScene.account())
        for account in [ada, bob] { try await scene.enroll(account) }
        try scene.registry.addAlias(name, of: ada)
        try scene.registry.remove(ada, because: "its sessions are over", wiping: false)
        #expect(IdentityRevocation.account(named: name) == ada)
        if isAnothers {
            try scene.registry.addAlias(name, of: bob)
            #expect(scene.registry.identity(named: name) == bob)
        } else {
            try await scene.enroll(name)
            try scene.registry.admit(name)
        }
        #expect(IdentityRevocation.all[ada] == .signedOut)
        IdentityRevocation.readmit(ada)
        await eventually { scene.registry.identity(named: name) == (isAnothers ? bob : name) }
    }

    @Test("is the account when its addition returns, even while another thread announces events", .rule("15.12"))
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
        try scene.registry.addAlias(name, of: ada)
        #expect(scene.registry.identity(named: name) == ada)
        subscription.cancel()
        goOn.signal()
    }

    @Test(
        "is refused if it is registered during the check, and that registration is enrolled",
        .rule("15.12"),
        arguments: [1, 2]
    )
    func isRefusedWhereItIsRegisteredMeanwhile(_ look: Int) async throws {
        IdentityRevocation.isOn = true
        let (other, isEnrolled, looks) = (RegistryScene(), DispatchSemaphore(value: 0), Locked(0))
        let subscription = other.registry.onEvent { [name] event in
            if event.identity == name, event.request == .enrolment { isEnrolled.signal() }
        }
        let holdings: AccountRegistry.Holdings = { [name] _ in
            looks.withLock { $0 += 1 }
            guard looks.withLock({ $0 }) == look else { return nil }
            try other.registry.register(name)
            isEnrolled.wait()
            return nil
        }
        let scene = RegistryScene(store: other.store, clock: other.clock, service: other.service, holdings: holdings)
        try await scene.enroll(ada)
        let wasRefused = Locked(false)
        let handler = IdentityRevocation.onRevocation(of: name) { wasRefused.withLock { $0 = true } }
        // On a separate thread: it waits there for an enrolment, which needs a thread of the task pool.
        let error = await onNewThread { [ada, name] () -> ManagementError? in
            do throws(ManagementError) { try scene.registry.addAlias(name, of: ada) } catch { return error }
            return nil
        }
        #expect(error?.code == .aliasTaken)
        try other.registry.admit(name)
        // Enrolled after the events, in order, if it was refused when its enrolment was processed.
        await eventually { other.accounts.decide(.log, for: name).isAllowed }
        // The name is refused by the second check, since it had no account.
        #expect(wasRefused.withLock { $0 } == (look == 2))
        subscription.cancel()
        handler.cancel()
    }

    @Test("has its earlier work waited for, at the addition and at the removal of the account", .rule("15.11"))
    func hasWorkFromBeforeWaitedFor() async throws {
        IdentityRevocation.isOn = true
        let (scene, name) = (RegistryScene(), name)
        try await scene.registry.start()
        try scene.registry.register(ada)
        let (isOver, end) = AsyncStream.makeStream(of: Void.self)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            await withIdentity(name) {
                begin.finish()
                for await _ in isOver {}
            }
        }
        for await _ in begun {}
        try scene.registry.addAlias(name, of: ada)
        #expect(try await !scene.registry.waitUntilSettled(timeout: .milliseconds(10)))
        try scene.registry.remove(ada, because: "left")
        #expect(try await !scene.registry.waitUntilSettled(timeout: .milliseconds(10)))
        end.finish()
        await work.value
        #expect(try await scene.registry.waitUntilSettled(timeout: .seconds(60)))
    }

    @Test("that was removed is managed by itself in each process, once it has its own account", .rule("15.12"))
    func ofBeforeIsManagedAndRemovedByItself() async throws {
        let (scene, other) = try await processes()
        try await scene.enroll(ada)
        try scene.registry.addAlias(name, of: ada)
        await other.registry.runDue()
        try await scene.registry.deregister(ada, wiping: false)
        await other.registry.runDue()
        await eventually { !IdentityRevocation.isRevoked(name) }
        try await scene.enroll(name)
        await other.registry.runDue()
        for process in [scene, other] {
            await eventually { process.accounts.enrolledIdentities.contains(name) }
            #expect(!process.accounts.decide(.log, for: name).isAllowed)
        }
        try scene.registry.remove(name, because: "left the company", wiping: false)
        await other.registry.runDue()
        #expect(try await scene.registry.waitUntilSettled(timeout: .seconds(60)))
        #expect(throws: ManagementError.self) { try other.registry.admit(name) }
        #expect(IdentityRevocation.all[ada] == nil)
    }

    @Test("that another process gave to a new account is that account's here, and all timers continue", .rule("15.12"))
    func isANewAccountsHere() async throws {
        let (scene, bob) = (RegistryScene(), RegistryScene.account())
        try await scene.registry.start()
        for account in [ada, bob] { try await scene.enroll(account) }
        try scene.registry.addAlias(name, of: ada)
        try scene.registry.remove(ada, because: "left", wiping: false)
        #expect(IdentityRevocation.account(named: name) == ada)
        let moment = scene.clock.now
        try scene.store.transaction { (transaction) throws(ManagementError) in
            try transaction.put(AccountRecord(name, .enrolled))
            _ = try transaction.add(AccountEvent(name, .enrolled, "by another process", at: moment, from: "another"))
        }
        await scene.pass(hours: 9)
        _ = await scene.statuses(until: .enrolled)
        #expect(try scene.registry.registeredAccounts().map(\.identity).sorted() == [bob, name].sorted())
        #expect(scene.accounts.isManaged(name) && scene.registry.identity(named: name) == name)
        try scene.registry.admit(name)
        #expect(scene.service.calls.contains("check \(bob)"))
    }
}
