import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

@Suite("An account that the registry knows") struct KnownAccountsTests {
    private static let failures: [AccountEventStatus] = [
        .notLicensed, .notTargeted, .wrongAccount, .unreachable, .timedOut, .malformedAnswer, .failed,
    ]

    @Test(
        "and whose enrolment was refused has no more rights than before, in the other process as well",
        .rule("8.1"),
        arguments: AccountsMode.allCases,
        failures
    )
    func isRefused(_ mode: AccountsMode, _ status: AccountEventStatus) async throws {
        let (ada, gate) = (RegistryScene.account(), Promise<Void>())
        let scene = RegistryScene(mode: mode)
        let other = scene.beside()
        for scene in [scene, other] { try await scene.registry.start() }
        scene.service.script.withLock {
            $0.enrolling = { _ in
                await gate.wait()
                throw EnrollmentFailure(status, "refused")
            }
        }
        func expectNothing() async {
            await other.registry.runDue()
            for scene in [scene, other] {
                scene.feed.change { $0.policies[ada] = .everything }
                #expect(scene.accounts.decide(.log, for: ada).rule == .noPolicy, "whatever the program has for it")
                scene.feed.change { $0.policies[ada] = nil }
                #expect(scene.accounts.isManaged(ada) && scene.accounts.enrolledIdentities.isEmpty)
            }
        }
        try scene.registry.register(ada)
        await expectNothing()
        gate.give(())
        _ = await scene.statuses(until: status)
        await expectNothing()
        let next = try await scene.startedAgain()
        #expect(next.accounts.decide(.log, for: ada).rule == .noPolicy)
        try await next.registry.deregister(ada, wiping: false)
        for scene in [next, other] {
            await scene.registry.runDue()
            #expect(scene.accounts.decide(.log, for: ada).rule == .unlimited, "as who was never seen")
        }
    }

    /// What happens to the policy of an enrolled account.
    enum Loss: String, CaseIterable { case list, standard, text, another }

    @Test(
        "and that cannot be enrolled again is allowed nothing, before and after a restart",
        .rule("8.1", "8.4"),
        arguments: AccountsMode.allCases,
        Loss.allCases
    )
    func cannotBeEnrolledAgain(_ mode: AccountsMode, _ loss: Loss) async throws {
        if loss == .another, mode == .multi { return }
        let (ada, bob) = (RegistryScene.account(), RegistryScene.account())
        let scene = RegistryScene(mode: mode)
        scene.service.script.withLock {
            $0.enrolling = { _ in loss == .text ? #"{"version": 1, "standard": {"log": true}}"# : nil }
        }
        try await scene.enroll(ada)
        var set = scene.feed.current
        switch loss {
        case .list: set.allowedAccounts = [bob]
        case .standard: set.standard = nil
        case .text, .another: break
        }
        try scene.store.transaction { (transaction) throws(ManagementError) in
            if loss == .another { try transaction.put(AccountRecord(bob, .enrolled)) }
            guard loss == .text, var record = try transaction.account(ada) else { return }
            record.policyText = "none"
            try transaction.put(record)
        }
        scene.feed.publish(set)
        let next = scene.restarted(isRead: false)
        next.feed.publish(loss == .text || loss == .another ? next.feed.current : set)
        try await next.registry.start()
        await next.registry.runDue()
        let scenes = loss == .text || loss == .another ? [next] : [scene, next]
        for scene in scenes {
            for account in loss == .another ? [ada, bob].filter({ !scene.accounts.isEnrolled($0) }) : [ada] {
                #expect(scene.accounts.isManaged(account) && scene.accounts.policy(of: account) == .nothing)
                #expect(!scene.accounts.decide(.log, for: account).isAllowed)
            }
        }
        if loss != .another {
            #expect(next.accounts.enrolledIdentities == [ada])
            #expect(next.accounts.levels.process == (mode == .single ? ada : nil))
        }
    }

    @Test(
        "and that is off the list has each policy that its service gives, and is not treated as unknown",
        .rule("8.4", "15.14")
    )
    func hearsWhileOffTheList() async throws {
        let ada = RegistryScene.account()
        let scene = try await RegistryScene().enrolled(ada)
        scene.feed.change { $0.allowedAccounts = [] }
        let text = #"{"version": 1, "standard": {"log": true}}"#
        scene.service.script.withLock { $0.checking = { _ in .replaced(text) } }
        scene.clock.advance(by: .seconds(9 * 3_600))
        let before = try scene.registry.account(ada)?.policyConfirmed
        await scene.registry.runDue()
        let record = try #require(try scene.registry.account(ada))
        #expect(record.policyText == text && record.policyConfirmed != before && record.stage == .enrolled)
        #expect(!scene.accounts.decide(.log, for: ada).isAllowed)
    }
}
