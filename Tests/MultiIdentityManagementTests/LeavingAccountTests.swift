import Foundation
import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

@Suite("An account that leaves") struct LeavingAccountTests {
    let ada = RegistryScene.account()

    @Test(
        "by being deregistered is unenrolled and wiped, and the service is notified",
        .rule("15.5"),
        .guide("registerAndEnrollAccount")
    )
    func byBeingDeregistered() async throws {
        let scene = try await RegistryScene().enrolled(ada)
        try await scene.registry.deregister(ada)
        #expect(scene.wiped.withLock { $0 } == [ada])
        let statuses = await scene.statuses(until: .serviceNotified)
        #expect(statuses.contains(.deregistered) && statuses.last == .serviceNotified)
        await scene.pass(hours: 100)
        #expect(scene.service.calls == ["enroll \(ada)", "unenroll \(ada)"])
    }

    @Test("is not found by a deregistration if it is not registered or nothing wipes", .rule("15.5"))
    func isNotRegistered() async throws {
        let scene = try await RegistryScene().enrolled(ada)
        let stranger = RegistryScene.account()
        let failure = await #expect(throws: ManagementError.self) {
            try await scene.registry.deregister(stranger)
        }
        #expect(failure?.code == .notRegistered && !IdentityRevocation.isRevoked(stranger))
    }

    @Test(
        "from outside is deregistered, unenrolled, revoked, wiped, and announced once",
        .rule("15.6"),
        .guide("unenrolled by an administrator")
    )
    func fromOutside() async throws {
        let wiped = Locked<[Identity]>([])
        let (isToldTwice, told) = AsyncStream.makeStream(of: Void.self)
        // Only an account whose wipe is in progress has already left.
        let wipe: AccountRegistry.Wipe = { identity in
            wiped.withLock { $0.append(identity) }
            for await _ in isToldTwice { break }
            return true
        }
        let scene = try await RegistryScene(wipe: wipe).enrolled(ada)
        try scene.registry.remove(ada, because: "left the company")
        #expect(IdentityRevocation.isRevoked(ada) && !scene.accounts.isManaged(ada))
        try scene.registry.remove(ada, because: "once more")
        told.finish()
        #expect(await scene.statuses(until: .wiped) == [.removed, .wiped])
        #expect(wiped.withLock { $0 } == [ada])
        #expect(try scene.registry.account(ada) == nil)
    }

    @Test(
        "and is being wiped works in no process, whichever began the wipe",
        .rule("15.6"),
        arguments: [AccountRecord.Stage.wiping, .enrolled]
    )
    func thatIsBeingWiped(_ stage: AccountRecord.Stage) async throws {
        let scene = try await RegistryScene().enrolled(ada)
        try scene.store.transaction { [ada, clock = scene.clock] (transaction) throws(ManagementError) in
            // Another process deregistered it, or wipes it separately.
            if stage == .wiping {
                try transaction.put(AccountRecord(ada, .wiping))
                _ = try transaction.add(AccountEvent(ada, .deregistered, "", at: clock.now, from: "other"))
            }
            _ = try transaction.add(AccountEvent(ada, .wipeBegan, "", at: clock.now, from: "other"))
        }
        await scene.registry.runDue()
        // The thread that enrolled it may still be at its events, and announces these as well.
        await eventually { IdentityRevocation.isRevoked(ada) && !scene.accounts.isManaged(ada) }
        let (bob, statuses) = (RegistryScene.account(), [AccountEventStatus.wipeBegan, .deregistered, .wipeBegan])
        IdentityRevocation.readmit(ada)
        try await scene.enroll(bob)
        let before = try scene.store.reading { (transaction) throws(ManagementError) in try transaction.lastEvent() }
        if stage == .enrolled {
            IdentityRevocation.revoke(bob, for: .wiped)
            IdentityRevocation.readmit(bob, after: .wiped)
        } else {
            try await scene.registry.deregister(bob)
        }
        let events = try scene.store.reading { (transaction) throws(ManagementError) in
            try transaction.events(after: before, limit: 9).map(\.status)
        }
        #expect(events.starts(with: stage == .enrolled ? statuses.prefix(1) : statuses.suffix(2)))
    }

    @Test("is wiped until nothing is left, also after a restart, and may not work before", .rule("15.6"))
    func isWipedUntilNothingIsLeft() async throws {
        let attempts = Locked(0)
        let wipe: AccountRegistry.Wipe = { _ in
            attempts.withLock {
                $0 += 1; return $0 == 3
            }
        }
        let scene = try await RegistryScene(wipe: wipe).enrolled(ada)
        try scene.registry.remove(ada, because: "left")
        _ = await scene.statuses(until: .wipeIncomplete)
        IdentityRevocation.readmit(ada)
        expect(throws: ManagementError.Code.revoked) { try scene.registry.register(ada) }
        scene.registry.abandon()
        let next = RegistryScene(store: scene.store, clock: scene.clock, service: scene.service, wipe: wipe)
        try await next.registry.start()
        #expect(IdentityRevocation.isRevoked(ada))
        await next.pass(hours: 26)
        #expect(
            try next.store.transaction { (transaction) throws(ManagementError) in try transaction.account(ada) }
                != nil
        )
        await next.pass(hours: 26)
        #expect(await next.statuses(until: .wiped) == [.wipeIncomplete, .wiped])
        #expect(attempts.withLock { $0 } == 3)
    }

    @Test("and was never enrolled is deregistered without a wipe, whatever is requested", .rule("15.5"))
    func wasNeverEnrolled() async throws {
        let scene = RegistryScene()
        scene.service.script.withLock { $0.enrolling = { _ in throw EnrollmentFailure(.notTargeted, "not targeted") } }
        try await scene.register(ada, until: .notTargeted)
        try await scene.registry.deregister(ada)
        #expect(await scene.statuses(until: .deregistered) == [.deregistered])
        #expect(scene.wiped.withLock { $0.isEmpty } && !IdentityRevocation.isRevoked(ada))
        #expect(try scene.registry.account(ada) == nil && scene.service.calls == ["enroll \(ada)"])
    }

    @Test("and was never enrolled is not requested again once it is signed out", .rule("15.6"))
    func isAskedForNoMore() async throws {
        let scene = RegistryScene()
        scene.service.script.withLock { $0.enrolling = { _ in throw EnrollmentFailure(.notTargeted, "not targeted") } }
        try await scene.register(ada, until: .notTargeted)
        IdentityRevocation.revoke(ada, for: .signedOut)
        #expect(await scene.statuses(until: .deregistered) == [.deregistered])
        await scene.pass(hours: 100)
        #expect(try scene.registry.account(ada) == nil && scene.service.calls == ["enroll \(ada)"])
    }

    @Test("is wiped and prompted for off the caller's actor and without an identity", .rule("15.4", "15.5"))
    @MainActor func isWipedUnderNobodysName() async throws {
        let seen = Locked<[(Identity?, Bool)]>([])
        let note: @Sendable () -> Void = { seen.withLock { $0.append((Identity.current, Thread.isMainThread)) } }
        let scene = RegistryScene(wipe: { _ in
            note()
            return true
        })
        scene.service.script.withLock {
            $0.credential = { [ada] _, prompting in
                if prompting { note() }
                return prompting ? AccountCredential(ada, token: "secret") : nil
            }
        }
        try await withIdentity(ada) {
            _ = try await scene.registry.logInAndEnroll(ada)
            _ = await scene.statuses(until: .restartRequested)
            try await scene.registry.deregister(ada)
        }
        #expect(seen.withLock { $0.count } == 2 && seen.withLock { $0.allSatisfy { $0.0 == nil && !$0.1 } })
    }

    /// A way to leave.
    enum Way: CaseIterable, Sendable {
        case signedOut, deregistered, deregisteredAndWiped, removed, removedByTheService
    }

    @Test(
        "is no longer enrolled, managed or on a level, and observers are notified once",
        .rule("15.5", "15.6"),
        arguments: Way.allCases,
        AccountsMode.allCases
    )
    func isNowhereAnyMore(_ way: Way, _ mode: AccountsMode) async throws {
        let scene = RegistryScene(mode: mode)
        let changes = Locked<[AccountsChange]>([])
        try await scene.enroll(ada)
        if mode != .single { scene.accounts.levels.process = ada }
        #expect(scene.accounts.levels.process == ada && scene.accounts.isManaged(ada))
        let subscription = scene.accounts.onChange { change in changes.withLock { $0.append(change) } }
        switch way {
        case .signedOut: IdentityRevocation.revoke(ada, for: .signedOut)
        case .deregistered: try await scene.registry.deregister(ada, wiping: false)
        case .deregisteredAndWiped: try await scene.registry.deregister(ada)
        case .removed: try scene.registry.remove(ada, because: "left")
        case .removedByTheService:
            scene.service.script.withLock { $0.checking = { _ in .removed("an administrator") } }
            await scene.pass(hours: 9)
        }
        let (wipes, isOutside) = (
            way != .signedOut && way != .deregistered, way == .removed || way == .removedByTheService
        )
        let status: AccountEventStatus = isOutside ? .removed : .deregistered
        let statuses = await scene.statuses(until: wipes ? .wiped : status)
        #expect(statuses.count { $0 == status } == 1)
        #expect(!scene.accounts.isManaged(ada) && scene.accounts.enrolledIdentities.isEmpty)
        #expect(try scene.registry.registeredAccounts().isEmpty)
        if mode == .single || way != .deregistered { #expect(scene.accounts.levels.process != ada) }
        subscription.cancel()
        let heard = changes.withLock { $0 }
        #expect(heard.count { $0 == .left(ada) } == 1, "\(heard)")
        #expect(heard.count { $0 == .revoked(ada, for: .signedOut) } == (way == .deregistered ? 0 : 1), "\(heard)")
        await scene.pass(hours: 100)
        #expect(scene.wiped.withLock { $0 } == (wipes ? [ada] : []))
    }
}
