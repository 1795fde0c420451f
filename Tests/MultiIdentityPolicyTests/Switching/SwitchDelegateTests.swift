import Dispatch
import MultiIdentity
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentityPolicy

private let (ada, grace, guest) = (Person.ada, Person.grace, Person.guest)

@Suite("A switch that the runtime requests", .rule("9.5"), .timeLimit(.minutes(20))) struct SwitchDelegateTests {
    @Test(
        "ends as the delegate answers, from any thread",
        .guide("a switch that the SDK asks for"),
        arguments: 0..<3,
        [true, false]
    )
    func answers(_ place: Int, _ succeeds: Bool) async throws {
        let fixture = try SwitcherFixture()
        let asked = Notes<String>()
        fixture.appoint { request in
            asked.add("\(request.identity.map { "\($0)" } ?? "unset"): \(request.reason)")
            let answer = { @Sendable in succeeds ? request.succeed() : request.fail("the user is typing") }
            switch place {
            case 0: answer()
            case 1: DispatchQueue.main.async(execute: answer)
            default: Task.detached { answer() }
            }
        }
        let result = await fixture.switcher.requireSwitch(to: ada, reason: "a link was opened")
        #expect(result == (succeeds ? .success : .failed(.delegate(reason: "the user is typing"))))
        #expect(asked.all == ["\(ada): a link was opened"])
        #expect(fixture.levels.ui == (succeeds ? ada : nil))
        #expect(fixture.findings.all.isEmpty)
    }

    @Test(
        "is made by the switcher if the delegate agrees and has not switched itself",
        arguments: ["managed-ada@contoso.com", "guest@fabrikam.com", "", nil]
    )
    func agreed(_ name: String?) async throws {
        let target = try name.map { $0.isEmpty ? .nobody : try Identity($0) }
        let ran = Notes<Identity>()
        let fixture = try SwitcherFixture(ui: grace, checks: [Self.noting(in: ran)])
        fixture.appoint { $0.succeed() }
        #expect(await fixture.switcher.requireSwitch(to: target, reason: "a link") == .success)
        #expect(fixture.levels.ui == target)
        #expect(ran.all == (name?.hasPrefix("managed") == true ? [target] : []))
    }

    @Test(
        "is not made if a requested switch would not be, even if the delegate agrees",
        arguments: ["revoked", "refused", "checked", "refused once switched"]
    )
    func agreedInVain(_ why: String) async throws {
        // A user of this test only: a revocation applies to the whole process.
        let ada = try Identity("managed-\(why)-though-agreed@contoso.com")
        let fixture = try SwitcherFixture(checks: [
            LaunchCheck("PIN") { _ in why == "checked" ? .failed("wrong PIN") : .passed }
        ])
        fixture.appoint { request in
            switch why {
            case "revoked": IdentityRevocation.revoke(ada, for: .signedOut)
            case "refused": fixture.accounts.refuse(ada, "dismissed")
            case "refused once switched":
                Task {
                    #expect(await fixture.switcher.switchUI(to: ada) == .success)
                    fixture.accounts.refuse(ada, "dismissed")
                    request.succeed()
                }
                return
            default: break
            }
            request.succeed()
        }
        defer { IdentityRevocation.readmit(ada) }
        let expected: SwitchResult =
            switch why {
            case "revoked": .notAllowed(.revoked)
            case "checked": .failed(.check(name: "PIN", reason: "wrong PIN"))
            default: .notAllowed(.accountNotAllowed(reason: "dismissed"))
            }
        #expect(await fixture.switcher.requireSwitch(to: ada, reason: "a link") == expected)
        #expect(fixture.levels.ui == (why == "refused once switched" ? ada : nil))
    }

    @Test("is not made twice if the delegate has switched, or is about to", arguments: 0..<2)
    func switchedAlready(_ way: Int) async throws {
        let (ran, isAsked) = (Notes<Identity>(), Gate())
        let fixture = try SwitcherFixture(checks: [Self.noting(in: ran)])
        if way == 1 { fixture.switcher.register(.waiting("waits for the answer", for: isAsked)) }
        fixture.appoint { request in
            Task {
                async let result = fixture.switcher.switchUI(to: request.identity)
                if way == 0 { #expect(await result == .success) } else { await isAsked.untilThereCame(1) }
                request.succeed()
                isAsked.open()
                _ = await result
            }
        }
        #expect(await fixture.switcher.requireSwitch(to: ada, reason: "a link") == .success)
        #expect(fixture.levels.ui == ada)
        #expect(ran.all == [ada])
    }

    @Test("is made if the level had the identity before, or has been set to another since", arguments: [true, false])
    func switchedAway(_ wasThere: Bool) async throws {
        let ran = Notes<Identity>()
        let fixture = try SwitcherFixture(checks: [Self.noting(in: ran)])
        if wasThere { #expect(await fixture.switcher.switchUI(to: ada) == .success) }
        fixture.appoint { request in
            Task {
                if !wasThere {
                    #expect(await fixture.switcher.switchUI(to: ada) == .success)
                    #expect(await fixture.switcher.switchUI(to: guest) == .success)
                }
                request.succeed()
            }
        }
        #expect(await fixture.switcher.requireSwitch(to: ada, reason: "a link") == .success)
        #expect(fixture.levels.ui == ada)
        #expect(ran.all == [ada, ada])
    }

    @Test("is refused to code on main that is bound to another identity, and to identities without any switch")
    func refusedAtOnce() async throws {
        let fixture = try SwitcherFixture(isOnMain: true)
        fixture.appoint { request in
            Issue.record("the delegate is not asked in vain")
            request.fail("")
        }
        let result = await withIdentity(grace) { await fixture.switcher.requireSwitch(to: ada, reason: "a link") }
        #expect(result == .notAllowed(.boundToAnother(grace)))
        fixture.accounts.refuse(ada, "dismissed")
        let refused = SwitchResult.notAllowed(.accountNotAllowed(reason: "dismissed"))
        #expect(await fixture.switcher.requireSwitch(to: ada, reason: "a link") == refused)
    }

    /// Returns a check that admits every identity and records it.
    private static func noting(in ran: Notes<Identity>) -> LaunchCheck {
        LaunchCheck("noted") { identity in
            ran.add(identity)
            return .passed
        }
    }

    @Test("is the delegate's decision: with nothing bound, so that main can request it")
    func switches() async throws {
        let levels = IdentityLevels()
        let switcher = try IdentitySwitcher(of: FakeAccounts(levels))
        let bound = Notes<Identity?>()
        let delegate = FakeDelegate { request in
            bound.add(Identity.current)
            Task { @MainActor in
                let result = await switcher.switchUI(to: request.identity)
                result == .success ? request.succeed() : request.fail("\(result)")
            }
        }
        switcher.delegate = delegate
        defer { withExtendedLifetime(delegate) {} }
        for target in [ada, .nobody, nil] {
            let result = await withIdentity(grace) { await switcher.requireSwitch(to: target, reason: "a link") }
            #expect(result == .success)
            #expect(levels.ui == target)
        }
        #expect(bound.all == [nil, nil, nil])
    }

    @Test("has one answer: a second is ignored and reported", arguments: [true, false])
    func secondAnswer(_ first: Bool) async throws {
        let fixture = try SwitcherFixture()
        let done = Gate()
        fixture.appoint { request in
            first ? request.succeed() : request.fail("no")
            first ? request.fail("no") : request.succeed()
            Task { await done.wait() }
        }
        let result = await fixture.switcher.requireSwitch(to: .nobody, reason: "untrusted content")
        #expect(result == (first ? .success : .failed(.delegate(reason: "no"))))
        await done.untilThereCame(1)
        #expect(fixture.findings.all.map(\.kind) == [.switchMisused])
        #expect(fixture.findings.all.first?.message.contains("second time") == true)
        done.open()
    }

    @Test("has one answer out of many at once") func answersAtOnce() async throws {
        for _ in 0..<50 {
            let fixture = try SwitcherFixture()
            fixture.appoint { request in
                DispatchQueue.concurrentPerform(iterations: 8) { number in
                    number.isMultiple(of: 2) ? request.succeed() : request.fail("number \(number)")
                }
            }
            let result = await fixture.switcher.requireSwitch(to: nil, reason: "a test")
            if case .failed(let error) = result {
                #expect(error.code == .delegateFailed)
            } else {
                #expect(result == .success)
            }
            while fixture.findings.all.count < 7 { await Task.yield() }
            #expect(fixture.findings.all.count == 7)
        }
    }

    @Test("fails when its time is up; a later answer is ignored and reported") func late() async throws {
        let fixture = try SwitcherFixture(deadlines: SwitchDeadlines(delegate: .seconds(20)))
        let kept = Notes<SwitchRequest>()
        fixture.appoint { kept.add($0) }
        let task = Task { await fixture.switcher.requireSwitch(to: ada, reason: "a link") }
        await fixture.clock.untilThereSleep(1)
        while kept.all.isEmpty { await Task.yield() }
        fixture.clock.advance(by: .seconds(20))
        #expect(await task.value == .failed(.delegateTookTooLong(limit: .seconds(20))))
        #expect(fixture.findings.all.isEmpty)
        kept.all.first?.succeed()
        #expect(fixture.findings.all.map(\.kind) == [.switchMisused])
        #expect(fixture.findings.all.first?.message.contains("after its deadline") == true)
    }

    @Test("fails at once if the delegate releases the request without an answer") func dropped() async throws {
        let fixture = try SwitcherFixture()
        fixture.appoint { _ in }
        #expect(await fixture.switcher.requireSwitch(to: nil, reason: "a test") == .failed(.delegateGaveNoAnswer))
    }

    @Test("fails and is reported if there is no delegate, or none any more", arguments: [true, false])
    func none(_ wasThere: Bool) async throws {
        let fixture = try SwitcherFixture()
        if wasThere { fixture.switcher.delegate = FakeDelegate { $0.succeed() } }
        #expect(fixture.switcher.delegate == nil, "a delegate is not kept alive")
        #expect(await fixture.switcher.requireSwitch(to: ada, reason: "a link") == .failed(.noDelegate))
        #expect(fixture.findings.all.map(\.kind) == [.switchMisused])
        #expect(fixture.findings.all.first?.message.contains("a link") == true)
    }

    @Test("ends for its caller on main while the delegate blocks its thread")
    @MainActor
    func blocking() async throws {
        let fixture = try SwitcherFixture(isOnMain: true, deadlines: SwitchDeadlines(delegate: .seconds(1)))
        let (blocked, begun) = (DispatchSemaphore(value: 0), Gate())
        fixture.appoint { request in
            Task { await begun.wait() }
            blocked.wait()
            request.succeed()
        }
        let task = Task { await fixture.switcher.requireSwitch(to: nil, reason: "a test") }
        await begun.untilThereCame(1)
        await fixture.clock.pass(.seconds(1))
        #expect(await task.value == .failed(.delegateTookTooLong(limit: .seconds(1))))
        blocked.signal()
        begun.open()
    }

    @Test("is cancelled with its task; a later answer is no error") func cancelled() async throws {
        let fixture = try SwitcherFixture()
        let kept = Notes<SwitchRequest>()
        fixture.appoint { kept.add($0) }
        let task = Task { await fixture.switcher.requireSwitch(to: nil, reason: "a test") }
        while kept.all.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
        kept.all.first?.succeed()
        #expect(fixture.findings.all.isEmpty)
        await fixture.clock.untilThereSleep(0)
    }

    @Test("from inside a launch check is refused to the delegate rather than waited for", arguments: [true, false])
    func insideCheck(_ switchesItself: Bool) async throws {
        let fixture = try SwitcherFixture()
        fixture.appoint { request in
            guard switchesItself else { return request.succeed() }
            Task {
                let result = await fixture.switcher.switchUI(to: request.identity)
                result == .success ? request.succeed() : request.fail("\(result)")
            }
        }
        let results = Notes<SwitchResult>()
        fixture.switcher.register(
            LaunchCheck("asks") { _ in
                results.add(await fixture.switcher.requireSwitch(to: guest, reason: "a test"))
                return .passed
            }
        )
        #expect(await fixture.switcher.switchUI(to: ada) == .success)
        let refused = SwitchResult.notAllowed(.insideLaunchCheck)
        #expect(results.all == [switchesItself ? .failed(.delegate(reason: "\(refused)")) : refused])
        #expect(fixture.levels.ui == ada)
    }
}
