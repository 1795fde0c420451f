import MultiIdentity
import Testing

@testable import MultiIdentityPolicy

private let (ada, guest) = (Person.ada, Person.guest)

@Suite("A launch check that does not answer", .rule("9.2"), .timeLimit(.minutes(20))) struct SwitchDeadlineTests {
    @Test(
        "is asked again once the access interval is over, and nobody is shown then",
        .guide("access checked again after an interval")
    )
    func again() async throws {
        let (ada, ran, answers, never) = (ada, Notes<Identity>(), Locked(true), Gate())
        let pin = LaunchCheck("PIN") { identity in
            ran.add(identity)
            if !answers.withLock({ $0 }) { await never.wait() }
            return .passed
        }
        let deadlines = SwitchDeadlines(check: .seconds(30), access: .seconds(600))
        let fixture = try SwitcherFixture(checks: [pin], deadlines: deadlines)
        let (switcher, clock) = (fixture.switcher, fixture.clock)
        #expect(await switcher.switchUI(to: ada) == .success)
        for (time, count) in [(599, 1), (1, 2), (599, 2)] {
            clock.advance(by: .seconds(time))
            #expect(await switcher.recheck() == .success && fixture.levels.ui == ada)
            #expect(ran.all.count == count)
        }
        switcher.underNobody {}
        #expect(fixture.levels.ui == ada)
        switcher.underNobody { clock.advance(by: .seconds(1)) }
        #expect(fixture.levels.ui == .nobody, "no check runs when she would come back")
        #expect(await switcher.switchUI(to: ada) == .success)
        await clock.untilThereSleep(0)
        let running = Task { await switcher.run() }
        await clock.untilThereSleep(1)
        answers.withLock { $0 = false }
        clock.advance(by: .seconds(600))
        await never.untilThereCame(1)
        await clock.untilThereSleep(1)
        #expect(ran.all.count == 4 && fixture.levels.ui == ada)
        clock.advance(by: .seconds(30))
        await clock.untilThereSleep(1)
        #expect(fixture.levels.ui == .nobody)
        running.cancel()
        await running.value
        #expect(await switcher.recheck() == .success && ran.all.count == 4, "nobody is checked")
        never.open()
    }

    @Test("no longer shows an identity that was taken off the list during the repeated checks")
    func againAndOffTheList() async throws {
        let during = Locked<(@Sendable () -> Void)?>(nil)
        let pin = LaunchCheck("PIN") { _ in
            during.withLock { $0 }?()
            return .passed
        }
        let fixture = try SwitcherFixture(checks: [pin], deadlines: SwitchDeadlines(access: .seconds(600)))
        #expect(await fixture.switcher.switchUI(to: ada) == .success)
        fixture.clock.advance(by: .seconds(600))
        during.withLock { $0 = { [accounts = fixture.accounts] in accounts.refuse(ada, "off the list") } }
        #expect(await fixture.switcher.recheck() != .success && fixture.levels.ui == .nobody)
    }

    @Test("fails when its time is up, whether it notices or not, and the next switch continues")
    func oneCheck() async throws {
        let never = Gate()
        let fixture = try SwitcherFixture(
            checks: [.waiting("silent", for: never)],
            deadlines: SwitchDeadlines(check: .seconds(30))
        )
        let task = Task { await fixture.switcher.switchUI(to: ada) }
        await fixture.clock.pass(.seconds(29))
        await fixture.clock.untilThereSleep(1)
        #expect(fixture.levels.ui == nil)
        fixture.clock.advance(by: .seconds(1))
        #expect(await task.value == .failed(.checkTookTooLong(name: "silent", limit: .seconds(30))))
        #expect(fixture.levels.ui == nil)
        #expect(await fixture.switcher.switchUI(to: guest) == .success)
        never.open()
        #expect(fixture.levels.ui == guest, "an answer after its time is passed over")
    }

    @Test("uses up the time of all checks together, so that a later one has less") func together() async throws {
        let never = Gate()
        let slow = Gate()
        let deadlines = SwitchDeadlines(check: .seconds(60), allChecks: .seconds(70))
        let fixture = try SwitcherFixture(
            checks: [.waiting("slow", for: slow), .waiting("silent", for: never)],
            deadlines: deadlines
        )
        let task = Task { await fixture.switcher.switchUI(to: ada) }
        await fixture.clock.pass(.seconds(50))
        slow.open()
        await never.untilThereCame(1)
        await fixture.clock.pass(.seconds(20))
        #expect(await task.value == .failed(.checksTookTooLong(name: "silent", limit: .seconds(70))))
        never.open()
    }

    @Test(
        "is not started if no time is left, and no time overflows",
        arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max)]
    )
    func bounds(_ limit: Duration) async throws {
        let levels = IdentityLevels()
        let ran = Notes<String>()
        let check = LaunchCheck("PIN") { _ in
            ran.add("PIN")
            return .passed
        }
        let deadlines = SwitchDeadlines(check: limit, allChecks: .seconds(Int64.max), delegate: limit)
        let switcher = try IdentitySwitcher(of: FakeAccounts(levels), checks: [check], deadlines: deadlines)
        let result = await switcher.switchUI(to: ada)
        if limit > .zero {
            #expect(result == .success)
        } else {
            #expect(result == .failed(.checkTookTooLong(name: "PIN", limit: limit)))
            #expect(ran.all.isEmpty)
        }
        #expect(await switcher.switchUI(to: nil) == .success, "deadlines are for checks alone")
    }
}
