import MultiIdentity
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentityPolicy

private let (ada, grace, guest) = (Person.ada, Person.grace, Person.guest)

@Suite("A switch of the UI identity", .timeLimit(.minutes(20))) struct SwitchTests {
    @Test(
        "runs the launch checks of a process's single user, who is shown only then",
        .rule("9.2"),
        .guide("launch checks of the one user")
    )
    func ofTheOneUser() async throws {
        let accounts = Accounts(
            mode: .single,
            policies: PolicyFeed(PolicySet(standard: .everything)),
            levels: IdentityLevels()
        )
        let (user, isRight) = (Users.named("one-user@contoso.com"), Locked(false))
        try accounts.enroll(user)
        accounts.levels.ui = .nobody
        let pin = LaunchCheck("PIN") { _ in isRight.withLock { $0 } ? .passed : .failed("wrong PIN") }
        let switcher = try IdentitySwitcher(accounts: accounts, checks: [pin])
        #expect(await switcher.switchUI(to: accounts.enrolledIdentities.first) != .success)
        #expect(accounts.levels.ui == .nobody)
        isRight.withLock { $0 = true }
        #expect(await switcher.switchUI(to: accounts.enrolledIdentities.first) == .success)
        #expect(accounts.levels.ui == user)
    }

    @Test(
        "runs the checks of a managed identity in the order of registration, then sets the level",
        .rule("9.2"),
        .guide("a switch that the app asks for")
    )
    func checksInOrder() async throws {
        let ran = Notes<String>()
        let fixture = try SwitcherFixture(checks: [
            LaunchCheck("device") { identity in
                ran.add("device of \(identity)")
                return .passed
            }
        ])
        fixture.switcher.register(
            LaunchCheck("PIN") { identity in
                ran.add("PIN of \(identity), level \(fixture.levels.ui.map { "\($0)" } ?? "unset")")
                return .passed
            }
        )
        #expect(await fixture.switcher.switchUI(to: ada) == .success)
        #expect(ran.all == ["device of \(ada)", "PIN of \(ada), level unset"])
        #expect(fixture.levels.ui == ada)
    }

    @Test(
        "runs no check for an unmanaged identity, nobody and unset",
        .rule("9.2"),
        arguments: ["guest@fabrikam.com", "", nil]
    )
    func noChecks(_ name: String?) async throws {
        let target = try name.map { $0.isEmpty ? .nobody : try Identity($0) }
        let fixture = try SwitcherFixture(ui: ada, checks: [LaunchCheck("never") { _ in .failed("it ran") }])
        #expect(await fixture.switcher.switchUI(to: target) == .success)
        #expect(fixture.levels.ui == target)
    }

    struct Refusing: Error, CustomStringConvertible {
        var description: String { "no camera" }
    }

    @Test("leaves the level and the later checks alone if a check fails", .rule("9.2"), arguments: 0..<4)
    func notPassed(_ way: Int) async throws {
        let ran = Notes<String>()
        let fixture = try SwitcherFixture(
            ui: guest,
            checks: [
                LaunchCheck("first") { _ in
                    switch way {
                    case 0: return .failed("rooted")
                    case 1: return .cancelled
                    case 2: throw Refusing()
                    default: throw CancellationError()
                    }
                },
                LaunchCheck("second") { _ in
                    ran.add("second")
                    return .passed
                },
            ]
        )
        let expected: [SwitchResult] = [
            .failed(.check(name: "first", reason: "rooted")), .cancelled,
            .failed(.check(name: "first", reason: "no camera")), .cancelled,
        ]
        #expect(await fixture.switcher.switchUI(to: ada) == expected[way])
        #expect(fixture.levels.ui == guest)
        #expect(ran.all.isEmpty)
        #expect(await fixture.switcher.switchUI(to: nil) == .success, "the next one goes on")
    }

    @Test("is refused to code on main that is bound to another identity", .rule("9.3"), arguments: [true, false])
    func boundToAnother(_ isOnMain: Bool) async throws {
        let fixture = try SwitcherFixture(ui: guest, isOnMain: isOnMain)
        for target in [ada, .nobody, nil] {
            let result = await withIdentity(grace) { await fixture.switcher.switchUI(to: target) }
            #expect(result == (isOnMain ? .notAllowed(.boundToAnother(grace)) : .success))
            #expect(fixture.levels.ui == (isOnMain ? guest : target))
        }
        #expect(
            await withIdentity(.nobody) { await fixture.switcher.switchUI(to: ada) }
                == (isOnMain ? .notAllowed(.boundToAnother(.nobody)) : .success)
        )
        #expect(await withIdentity(ada) { await fixture.switcher.switchUI(to: ada) } == .success)
        #expect(await withIdentity(nil) { await fixture.switcher.switchUI(to: grace) } == .success)
        #expect(fixture.levels.ui == grace)
    }

    @Test("is refused for an account that the policy refuses, managed or not; no check runs", .rule("9.3"))
    func refusedAccount() async throws {
        let fixture = try SwitcherFixture(checks: [LaunchCheck("never") { _ in .failed("it ran") }])
        for person in [ada, guest] {
            fixture.accounts.refuse(person, "not on the list")
            let result = await fixture.switcher.switchUI(to: person)
            #expect(result == .notAllowed(.accountNotAllowed(reason: "not on the list")))
            #expect(fixture.levels.ui == nil)
        }
    }

    @Test("is refused for an account that the policy refuses during its checks", .rule("9.3"))
    func refusedMeanwhile() async throws {
        let fixture = try SwitcherFixture()
        fixture.switcher.register(
            LaunchCheck("PIN") { identity in
                fixture.accounts.refuse(identity, "dismissed")
                return .passed
            }
        )
        #expect(await fixture.switcher.switchUI(to: ada) == .notAllowed(.accountNotAllowed(reason: "dismissed")))
        #expect(fixture.levels.ui == nil)
    }

    @Test("asks the package's accounts which identities they allow", .rule("9.3"))
    func accounts() async throws {
        let levels = IdentityLevels()
        let feed = PolicyFeed(PolicySet([ada: .nothing, grace: .nothing], allowedAccounts: [ada]))
        let accounts = Accounts(mode: .multi, policies: feed, levels: levels)
        let switcher = try IdentitySwitcher(accounts: accounts)
        #expect(await switcher.switchUI(to: ada) == .success)
        for person in [grace, guest] {
            guard case .notAllowed(let error) = await switcher.switchUI(to: person) else {
                Issue.record("\(person) was let through")
                continue
            }
            #expect(error.code == .notAllowed && error.message.contains("\(person)"))
        }
        #expect(levels.ui == ada)
        #expect(await switcher.switchUI(to: .nobody) == .success)
        feed.publish(PolicySet(allowedAccounts: []))
        #expect(await switcher.switchUI(to: ada) != .success, "an empty list allows nobody")
        #expect(await switcher.switchUI(to: nil) == .success)
    }

    @Test("from inside a launch check of a running switch is refused, at any depth", .rule("9.3"))
    func insideCheck() async throws {
        let results = Notes<SwitchResult>()
        let (fixture, other) = (try SwitcherFixture(), try SwitcherFixture())
        let late = Gate()
        fixture.switcher.register(
            LaunchCheck("asks") { _ in
                results.add(await fixture.switcher.switchUI(to: guest))
                results.add(await Task { await fixture.switcher.switchUI(to: nil) }.value)
                results.add(await other.switcher.switchUI(to: ada))
                Task {
                    await late.wait()
                    results.add(await fixture.switcher.switchUI(to: guest))
                    await late.wait()
                }
                return .passed
            }
        )
        other.switcher.register(
            LaunchCheck("asks back") { _ in
                results.add(await fixture.switcher.switchUI(to: guest))
                return .passed
            }
        )
        #expect(await fixture.switcher.switchUI(to: ada) == .success)
        let refused = SwitchResult.notAllowed(.insideLaunchCheck)
        #expect(results.all == [refused, refused, refused, .success])
        #expect(fixture.levels.ui == ada)
        late.open()
        await late.untilThereCame(2)
        #expect(results.all.last == .success, "what a check leaves behind may switch once the switch is over")
        #expect(fixture.levels.ui == guest)
    }

    @Test("on the main actor continues while its checks are there too", .rule("9.4"))
    @MainActor
    func onMain() async throws {
        let levels = IdentityLevels()
        let switcher = try IdentitySwitcher(of: FakeAccounts(levels))
        switcher.register(
            LaunchCheck("PIN") { @MainActor _ in
                await Task.yield()
                return .passed
            }
        )
        #expect(await switcher.switchUI(to: ada) == .success)
        #expect(levels.ui == ada)
        #expect(await withIdentity(grace) { await switcher.switchUI(to: nil) } != .success)
    }

    @Test("runs checks for an identity that becomes managed only as its turn comes", .rule("9.2"))
    func managedMeanwhile() async throws {
        let hold = Gate()
        let ran = Notes<Identity>()
        let fixture = try SwitcherFixture(checks: [
            LaunchCheck("PIN") { identity in
                ran.add(identity)
                if identity != guest { await hold.wait() }
                return .passed
            }
        ])
        let first = Task { await fixture.switcher.switchUI(to: ada) }
        await hold.untilThereCame(1)
        let second = Task { await fixture.switcher.switchUI(to: guest) }
        while fixture.switcher.turns.waiting == 0 { await Task.yield() }
        fixture.accounts.manage(guest)
        hold.open()
        #expect(await first.value == .success)
        #expect(await second.value == .success)
        #expect(ran.all == [ada, guest])
    }

    @Test("needs levels that no other switcher serves; they are free again when it is released")
    func oneSwitcher() async throws {
        let levels = IdentityLevels()
        func make() throws -> IdentitySwitcher { try IdentitySwitcher(of: FakeAccounts(levels)) }
        do {
            let first = try make()
            #expect(#expect(throws: PolicyError.self) { try make() }?.code == .levelsAreServed)
            levels.diagnostics.response = .report { _ in }
            levels.ui = ada
            #expect(levels.ui == nil, "the one that was not made has not taken the guard of the first away")
            _ = first
        }
        _ = try make()
    }

    @Test("has the levels of its accounts, also in a scope with its own levels", .rule("9.6"))
    func ownLevels() async throws {
        let before = IdentityLevels.shared.ui
        let levels = IdentityLevels()
        let switcher = try withIdentityLevels(levels) {
            try IdentitySwitcher(accounts: Accounts(mode: .multi, policies: PolicyFeed(PolicySet([ada: .nothing]))))
        }
        #expect(switcher.levels === levels)
        #expect(await switcher.switchUI(to: ada) == .success)
        #expect(levels.ui == ada)
        #expect(IdentityLevels.shared.ui == before)
        _ = await switcher.switchUI(to: nil)
    }
}
