import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

@Suite("An enrolment that is accepted but no longer wanted") struct UnwantedEnrolmentTests {
    let ada = RegistryScene.account()

    /// A service that answers enrolment requests when a test lets it, and counts them.
    private final class SlowService: Sendable {
        let asked = Locked(0)
        let answers = [Promise<Void>(), Promise<Void>()]

        init(
            _ scene: RegistryScene,
            _ answer: @escaping @Sendable (Identity) -> String? = { _ in nil }
        ) {
            scene.service.script.withLock {
                $0.enrolling = { [asked, answers] identity in
                    let number = asked.next() - 1
                    if number < answers.count { await answers[number].wait() }
                    return answer(identity)
                }
            }
        }

        func isAsked(_ count: Int) async { await eventually { asked.withLock { $0 } == count } }
    }

    private func record(of scene: RegistryScene) throws -> AccountRecord? {
        try scene.store.reading { [ada] (transaction) throws(ManagementError) in try transaction.account(ada) }
    }

    private var unenrolments: (RegistryScene) -> Int {
        { [ada] scene in scene.service.calls.count { $0 == "unenroll \(ada)" } }
    }

    /// What happens to the account, or to its request, during the request.
    enum Meanwhile: CaseIterable, Sendable {
        case deregistered, deregisteredWithAWipe, removed, removedWithAWipe, signedOut, signedOutAndDeregistered
        case enrolledIsAnother, isMalformed, isNotAllowed
    }

    @Test(
        "is undone, and the account is not enrolled",
        .rule("15.5"),
        arguments: Meanwhile.allCases,
        [AccountsMode.multi, .oneManaged]
    )
    func isTakenBack(_ meanwhile: Meanwhile, _ mode: AccountsMode) async throws {
        if meanwhile == .enrolledIsAnother, mode == .multi { return }
        let (scene, grace) = (RegistryScene(mode: mode), RegistryScene.account())
        let service = SlowService(scene) { _ in meanwhile == .isMalformed ? "{" : nil }
        service.answers[1].give(())
        let registry = scene.registry
        try registry.register(ada)
        await service.isAsked(1)
        switch meanwhile {
        case .deregistered: try await registry.deregister(ada, wiping: false)
        case .deregisteredWithAWipe: try await registry.deregister(ada)
        case .removed: try registry.remove(ada, because: "left", wiping: false)
        case .removedWithAWipe: try registry.remove(ada, because: "left")
        case .signedOut, .signedOutAndDeregistered:
            IdentityRevocation.revoke(ada, for: .signedOut)
            await eventually { (try? registry.account(ada)) == .some(nil) }
            if meanwhile == .signedOutAndDeregistered { try await registry.deregister(ada, wiping: false) }
        case .enrolledIsAnother: try registry.register(grace)
        case .isMalformed: break
        case .isNotAllowed: scene.feed.change { set in set.allowedAccounts = [grace] }
        }
        if meanwhile == .enrolledIsAnother { _ = await scene.statuses(until: .restartRequested) }
        // The process that wipes comes first; only the clock makes others check again.
        if meanwhile == .removedWithAWipe { _ = await scene.statuses(until: .wiped) }
        service.answers[0].give(())
        await eventually { unenrolments(scene) == 1 }
        // Each request ends in an event. If the request is still wanted, the event says why it failed.
        let end: AccountEventStatus? =
            switch meanwhile {
            case .enrolledIsAnother: .anotherIsEnrolled
            case .isMalformed: .malformedAnswer
            case .isNotAllowed: .refused
            default: nil
            }
        if let end { _ = await scene.statuses(until: end) }
        await eventually { (try? record(of: scene))?.map { $0.lease == nil && !$0.wasAsked } ?? true }
        #expect(try record(of: scene)?.stage == (end == nil ? nil : .registered))
        #expect(!scene.accounts.enrolledIdentities.contains(ada))
        #expect(unenrolments(scene) == 1)
    }

    @Test("by an answer after the timeout is undone, and requested again no sooner than without it", .rule("15.5"))
    func byALateAnswer() async throws {
        let (scene, asked, answer) = (RegistryScene(), Promise<Void>(), Promise<Void>())
        scene.service.script.withLock {
            $0.enrolling = { _ in
                asked.give(())
                await answer.wait()
                return nil
            }
        }
        try scene.registry.register(ada)
        await asked.wait()
        await scene.clock.sleepers(1)
        scene.clock.advance(by: .seconds(120))
        _ = await scene.statuses(until: .timedOut)
        #expect(try record(of: scene)?.wasAsked == true)
        let due = try record(of: scene)?.due
        answer.give(())
        _ = await scene.statuses(until: .serviceNotified)
        await eventually { (try? record(of: scene))??.lease == nil }
        #expect(unenrolments(scene) == 1)
        #expect(try record(of: scene)?.due == due && !scene.accounts.enrolledIdentities.contains(ada))
    }

    @Test("by an answer during the next request is undone once that request has failed", .rule("15.5"))
    func byAnAnswerDuringTheNextRequest() async throws {
        let scene = RegistryScene()
        let (asked, answers) = (Locked(0), [Promise<Void>(), Promise<Void>()])
        scene.service.script.withLock {
            $0.enrolling = { _ in
                let number = asked.next() - 1
                await answers[number].wait()
                if number == 1 { throw EnrollmentFailure(.notLicensed, "no seat") }
                return nil
            }
        }
        try scene.registry.register(ada)
        await eventually { asked.withLock { $0 } == 1 }
        await scene.clock.sleepers(1)
        scene.clock.advance(by: .seconds(120))
        _ = await scene.statuses(until: .timedOut)
        scene.clock.advance(by: .seconds(30 * 3_600))
        let claimed = try #require(scene.registry.claimDue()?.first)
        let second = Task { await scene.registry.request(claimed, with: nil) }
        await eventually { asked.withLock { $0 } == 2 }
        answers[0].give(())
        // The timeout of the second request, and the caller that waits for its end.
        await scene.clock.sleepers(2)
        answers[1].give(())
        await second.value
        scene.clock.advance(by: ManagementConfiguration().pollInterval)
        await eventually { unenrolments(scene) == 1 }
        #expect(!scene.accounts.enrolledIdentities.contains(ada))
    }

    @Test(
        "and whose process died during it is undone by the next process, if the account leaves",
        .rule("15.5"),
        arguments: [AccountEventStatus.deregistered, .removed]
    )
    func whoseProcessDied(_ way: AccountEventStatus) async throws {
        let scene = RegistryScene()
        let service = SlowService(scene)
        try scene.registry.register(ada)
        await service.isAsked(1)
        let next = try await scene.startedAgain()
        if way == .removed {
            try next.registry.remove(ada, because: "left", wiping: false)
        } else {
            try await next.registry.deregister(ada)
        }
        // No one knows that the process with the request has ended until its lease is over.
        await next.pass(hours: 0, minutes: 8)
        #expect(unenrolments(next) == 0)
        await next.pass(hours: 0, minutes: 2)
        #expect(unenrolments(next) == 1)
        #expect(try record(of: next) == nil)
        service.answers[0].give(())
    }

    @Test("is undone before the service is asked again, in whichever process", .rule("15.5"))
    func isTakenBackFirst() async throws {
        let scene = RegistryScene()
        let (told, isTold) = (Promise<Void>(), Promise<Void>())
        let service = Company(telling: told, until: isTold)
        func program() -> AccountRegistry {
            let accounts = Accounts(mode: .multi, policies: scene.feed, levels: IdentityLevels())
            return AccountRegistry(
                accounts: accounts,
                store: scene.store,
                service: service,
                credentials: scene.service,
                clock: scene.clock
            )
        }
        let (first, second) = (program(), program())
        try first.register(ada)
        await eventually { (try? record(of: scene))??.stage == .enrolled }
        try await first.deregister(ada, wiping: false)
        await told.wait()
        try second.register(ada)
        await second.runDue()
        #expect(service.calls == ["enroll", "unenroll"])
        #expect(try second.account(ada)?.stage == .registered)
        isTold.give(())
        await eventually { (try? record(of: scene))??.stage == .enrolled }
        #expect(service.calls == ["enroll", "unenroll", "enroll"])
    }

    private final class Company: EnrollmentService, Sendable {
        private let state = Locked<[String]>([])
        private let told, isTold: Promise<Void>

        init(telling told: Promise<Void>, until isTold: Promise<Void>) { (self.told, self.isTold) = (told, isTold) }

        var calls: [String] { state.withLock { $0 } }

        func enroll(_ credential: AccountCredential) async throws -> String? {
            state.withLock { $0.append("enroll") }
            return nil
        }

        func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer { .unchanged }

        func unenroll(_ credential: AccountCredential) async throws {
            state.withLock { $0.append("unenroll") }
            told.give(())
            await isTold.wait()
        }
    }

    @Test("by the second of two simultaneous requests ends in an event as well", .rule("15.2", "15.7"))
    func byTheSecondOfTwo() async throws {
        let (scene, grace) = (RegistryScene(mode: .oneManaged), RegistryScene.account())
        let service = SlowService(scene)
        for account in [ada, grace] { try scene.registry.register(account) }
        await service.isAsked(2)
        for answer in service.answers { answer.give(()) }
        let statuses = await scene.statuses(until: .anotherIsEnrolled)
        #expect(Set(statuses).isSuperset(of: [.enrolled, .anotherIsEnrolled]))
        #expect(scene.accounts.enrolledIdentities.count == 1)
        await eventually { scene.service.calls.count { $0.hasPrefix("unenroll") } == 1 }
    }
}
