import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

@Suite("A registered account") struct RegisteredAccountTests {
    let ada = RegistryScene.account()

    @Test("is on the list at once, and enrolled in the background", .rule("15.1"), .guide("registerAndEnrollAccount"))
    func isOnTheListAtOnceAndEnrolledInTheBackground() async throws {
        let scene = RegistryScene()
        try scene.registry.register(ada)
        #expect(try scene.registry.registeredAccounts().map(\.identity) == [ada])
        #expect(await scene.statuses(until: .restartRequested) == [.enrolled, .restartRequested])
        #expect(scene.accounts.isManaged(ada) && scene.service.calls == ["enroll \(ada)"])
    }

    @Test("is a work account, has a name, and is not revoked", .rule("15.1"))
    func isAWorkAccountIsSomebodyAndIsNotRevoked() async throws {
        let scene = RegistryScene(isWorkAccount: { _ in false })
        #expect(throws: ManagementError.self) { try scene.registry.register(ada) }
        let other = RegistryScene()
        expect(throws: ManagementError.Code.nobody) { try other.registry.register(.nobody) }
        IdentityRevocation.revoke(ada, for: .signedOut)
        expect(throws: ManagementError.Code.revoked) { try other.registry.register(ada) }
        #expect(try other.registry.registeredAccounts().isEmpty && scene.registry.registeredAccounts().isEmpty)
    }

    @Test("does not exist if its registration was refused: its identity stays unseen", .rule("8.1", "15.1"))
    func isNoneWhereRefused() throws {
        let (ada, scene) = (RegistryScene.account(), RegistryScene())
        IdentityRevocation.revoke(ada, for: .signedOut)
        expect(throws: ManagementError.Code.revoked) { try scene.registry.register(ada) }
        IdentityRevocation.readmit(ada, after: .signedOut)
        #expect(scene.accounts.decide(.log, for: ada).rule == .unlimited)
    }

    @Test("has one request at a time, however often it is registered", .rule("15.1"))
    func hasOneRequestAtATime() async throws {
        let scene = RegistryScene()
        let gate = AsyncStream.makeStream(of: Void.self)
        scene.service.script.withLock {
            $0.enrolling = { [stream = gate.stream] _ in
                for await _ in stream { break }
                return nil
            }
        }
        try scene.registry.register(ada)
        // The right to make the request: another lease would mean another request.
        let lease = try #require(try scene.registry.account(ada)?.lease)
        for _ in 0..<4 {
            try scene.registry.register(ada)
            #expect(try scene.registry.account(ada)?.lease == lease)
        }
        gate.continuation.yield()
        _ = await scene.statuses(until: .restartRequested)
        try scene.registry.register(ada)
        #expect(scene.service.calls == ["enroll \(ada)"])
    }

    @Test("is not enrolled by the answer to a request from before it left", .rule("15.5", "15.13"))
    func isNotEnrolledByAnEarlierAnswer() async throws {
        let (scene, asked, gates) = (RegistryScene(), Locked(0), [Promise<Void>(), Promise<Void>()])
        scene.service.script.withLock {
            $0.enrolling = { identity in
                let number = asked.next()
                await gates[number - 1].wait()
                return #"{"version": 1, "identities": {"\#(identity.name)": {"log": \#(number == 1)}}}"#
            }
        }
        try scene.store.transaction { [ada, clock = scene.clock] (transaction) throws(ManagementError) in
            try transaction.put(AccountRecord(ada, due: clock.now))
        }
        let claimed = try #require(scene.registry.claimDue()?.first)
        let late = Task { await scene.registry.request(claimed, with: nil) }
        await eventually { asked.withLock { $0 } == 1 }
        try await scene.registry.deregister(ada, wiping: false)
        try scene.registry.register(ada)
        #expect(try scene.registry.account(ada)?.stage == .registered && asked.withLock { $0 } == 1)
        gates[0].give(())
        await late.value
        // What the service accepted for the earlier life is undone first.
        await eventually { asked.withLock { $0 } == 2 }
        #expect(
            !scene.accounts.enrolledIdentities.contains(ada)
                && scene.service.calls.dropFirst().first == "unenroll \(ada)"
        )
        gates[1].give(())
        _ = await scene.statuses(until: .restartRequested)
        #expect(scene.accounts.policy(of: ada)?.log == false)
        let next = try await scene.startedAgain()
        #expect(next.accounts.policy(of: ada)?.log == false)
    }

    @Test("has the newer policy in each process, even if one was stopped during an older one", .rule("15.13"))
    func hasTheNewerPolicy() async throws {
        let (scene, gate, isAsked) = (RegistryScene(), Promise<Void>(), Promise<Void>())
        try await scene.enroll(ada)
        let other = RegistryScene(store: scene.store, clock: scene.clock)
        try await other.registry.start()
        let text = { (log: Bool) in #"{"version": 1, "standard": {"log": \#(log)}}"# }
        scene.service.script.withLock {
            $0.checking = { [older = text(true)] _ in
                isAsked.give(())
                await gate.wait()
                return .replaced(older)
            }
        }
        other.service.script.withLock { [newer = text(false)] in $0.checking = { _ in .replaced(newer) } }
        scene.clock.advance(by: .seconds(9 * 3_600))
        let claimed = try #require(scene.registry.claimDue()?.first)
        let stopped = Task { await scene.registry.request(claimed, with: nil) }
        await isAsked.wait()
        // Another process asks again when the lease is over; the stopped process's time does not count.
        try scene.store.transaction { [ada, clock = scene.clock] (transaction) throws(ManagementError) in
            guard var record = try transaction.account(ada) else { return }
            record.due = clock.now
            try transaction.put(record)
        }
        await other.registry.runDue()
        gate.give(())
        await stopped.value
        await scene.registry.runDue()
        for accounts in [scene.accounts, other.accounts] { #expect(accounts.policy(of: ada)?.log == false) }
        #expect(!scene.service.calls.contains("unenroll \(ada)"))
    }

    @Test("is checked for the others by a process in which it is revoked", .rule("15.13"), arguments: [false, true])
    func isCheckedForTheOthers(_ isReplaced: Bool) async throws {
        let scene = try await RegistryScene().enrolled(ada)
        IdentityRevocation.revoke(ada, for: .signedOut)
        _ = await scene.statuses(until: .deregistered)
        // It has signed in again in another process.
        var record = AccountRecord(ada, .enrolled, due: scene.clock.now)
        record.life = 99
        try scene.store.transaction { [record] (transaction) throws(ManagementError) in try transaction.put(record) }
        let text = #"{"version": 1, "standard": {"log": true}}"#
        scene.service.script.withLock { $0.checking = { _ in isReplaced ? .replaced(text) : .unchanged } }
        await scene.registry.runDue()
        let statuses = await scene.statuses(until: isReplaced ? .policyReplaced : .policyUnchanged)
        #expect(!statuses.contains(.refused) && !scene.accounts.enrolledIdentities.contains(ada))
        let kept = try scene.store.reading { [ada] (transaction) throws(ManagementError) in
            try transaction.account(ada)
        }
        #expect(kept?.stage == .enrolled && kept?.policyText == (isReplaced ? text : nil))
    }

    @Test("is tried again a day after its request failed and not before, whatever the reason", .rule("15.2"))
    func isTriedAgainAfterADay() async throws {
        let scene = RegistryScene(configuration: .with { $0.jitter = 0 })
        scene.service.script.withLock { $0.enrolling = { _ in throw EnrollmentFailure(.unreachable, "no route") } }
        try scene.registry.register(ada)
        #expect(await scene.statuses(until: .unreachable) == [.unreachable])
        await scene.pass(hours: 23)
        #expect(scene.service.calls.count == 1)
        struct Unknown: Error {}
        scene.service.script.withLock { $0.enrolling = { _ in throw Unknown() } }
        await scene.pass(hours: 1)
        #expect(scene.service.calls.count == 2)
        #expect(await scene.statuses(until: .failed) == [.failed])
        scene.service.script.withLock { $0.credential = { _, _ in nil } }
        await scene.pass(hours: 24)
        #expect(await scene.statuses(until: .credentialMissing) == [.credentialMissing])
        #expect(!scene.accounts.enrolledIdentities.contains(ada))
    }

    @Test(
        "waits while another is enrolled in single-user mode, and tries a day after that one left",
        .rule("15.2"),
        arguments: [AccountsMode.single, .oneManaged]
    )
    func waitsWhileAnotherIsEnrolled(_ mode: AccountsMode) async throws {
        let bob = RegistryScene.account()
        let scene = RegistryScene(mode: mode, configuration: .with { $0.jitter = 0 })
        scene.service.script.withLock {
            $0.enrolling = { [ada] identity in
                if identity == ada { return nil }
                throw EnrollmentFailure(.notTargeted, "not targeted")
            }
        }
        try await scene.register(bob, until: .notTargeted)
        try await scene.enroll(ada)
        scene.service.script.withLock { $0.enrolling = { _ in nil } }
        await scene.pass(hours: 100)
        #expect(!scene.service.calls.dropFirst(2).contains("enroll \(bob)"))
        try await scene.registry.deregister(ada, wiping: false)
        await scene.pass(hours: 23)
        #expect(!scene.accounts.enrolledIdentities.contains(bob))
        await scene.pass(hours: 1)
        #expect(scene.accounts.enrolledIdentities == [bob])
    }

    @Test("and enrolled has its policy checked every eight hours, also after a restart", .rule("15.3"))
    func hasItsPolicyCheckedEveryEightHours() async throws {
        let scene = try await RegistryScene(configuration: .with { $0.jitter = 0 }).enrolled(ada)
        await scene.pass(hours: 7)
        let next = try await scene.startedAgain()
        await next.registry.runDue()
        #expect(next.accounts.isManaged(ada) && scene.service.calls == ["enroll \(ada)"])
        await next.pass(hours: 1)
        await next.pass(hours: 8)
        #expect(scene.service.calls == ["enroll \(ada)", "check \(ada)", "check \(ada)"])
    }

    @Test("and enrolled has an unchanged policy if the service sends the same text again", .rule("15.3"))
    func hasAnUnchangedPolicy() async throws {
        let scene = RegistryScene()
        let texts = [true, false].map { #"{"version": 1, "standard": {"log": \#($0)}}"# }
        scene.service.script.withLock {
            $0.enrolling = { _ in texts[0] }
            $0.checking = { _ in .replaced(texts[0]) }
        }
        try await scene.enroll(ada)
        await scene.pass(hours: 9)
        scene.service.script.withLock { $0.checking = { _ in .replaced(texts[1]) } }
        await scene.pass(hours: 9)
        #expect(await scene.statuses(until: .policyReplaced) == [.policyUnchanged, .policyReplaced])
    }

    @Test("and enrolled has timers with a jitter of up to a twentieth, later and never earlier", .rule("15.3"))
    func hasItsTimersSpread() async throws {
        let scene = RegistryScene()
        let store = scene.store
        for _ in 0..<50 { try scene.registry.register(RegistryScene.account()) }
        for _ in 0..<50 { _ = await scene.statuses(until: .restartRequested) }
        let (now, eight) = (scene.clock.now, Duration.seconds(8 * 3_600))
        let waits = try store.transaction { (transaction) throws(ManagementError) in
            try transaction.accounts(.enrolled).compactMap { $0.due.map { now.duration(to: $0) } }
        }
        #expect(waits.count == 50 && waits.allSatisfy { $0 >= eight && $0 <= eight * 1.05 })
        #expect(Set(waits).count > 40)
    }

    @Test(
        "by logging in is asked for with a prompt if there is no credential",
        .rule("15.4"),
        .guide("registerAndEnrollAccount", "sign-in by the platform's authentication library")
    )
    func byLoggingIn() async throws {
        let scene = RegistryScene()
        scene.service.script.withLock {
            $0.credential = { [ada] identity, prompting in
                prompting || identity != nil ? AccountCredential(ada, token: "t") : nil
            }
        }
        #expect(try await scene.registry.logInAndEnroll() == ada)
        _ = await scene.statuses(until: .restartRequested)
        #expect(scene.service.calls == ["prompt", "enroll \(ada)"])
        await expect(throws: ManagementError.Code.noCredential) {
            try await scene.registry.logInAndEnroll(RegistryScene.account())
        }
    }

    @Test("by logging in waits for a provider that shows no prompt no longer than for any request", .rule("15.4"))
    func byLoggingInAtAProviderThatDoesNotAnswer() async throws {
        let (scene, gate) = (RegistryScene(), Promise<Void>())
        scene.service.script.withLock {
            $0.credential = { _, _ in
                await gate.wait()
                return nil
            }
        }
        let login = Task { [ada] in try await scene.registry.logInAndEnroll(ada) }
        await scene.clock.sleepers(1)
        scene.clock.advance(by: .seconds(120))
        let failure = await #expect(throws: ManagementError.self) { try await login.value }
        #expect(failure?.code == .noCredential && scene.service.calls.isEmpty)
        gate.give(())
    }

    @Test("is known by its aliases, and no name belongs to two accounts", .rule("15.10"))
    func isKnownByItsAliases() async throws {
        let (scene, bob, alias) = (RegistryScene(), RegistryScene.account(), RegistryScene.account())
        try scene.registry.register(ada)
        try scene.registry.register(bob)
        try scene.registry.addAlias(alias, of: ada)
        #expect(try scene.registry.resolve(alias) == ada && scene.registry.account(alias)?.identity == ada)
        for (taken, account) in [(alias, bob), (bob, ada)] {
            expect(throws: ManagementError.Code.aliasTaken) { try scene.registry.addAlias(taken, of: account) }
        }
        try await scene.registry.deregister(alias, wiping: false)
        #expect(try scene.registry.account(ada) == nil && scene.registry.resolve(alias) == alias)
    }
}
