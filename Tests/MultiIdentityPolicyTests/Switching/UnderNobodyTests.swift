import MultiIdentity
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentityPolicy

private let (ada, grace, guest) = (Person.ada, Person.grace, Person.guest)

@Suite("A call of underNobody", .rule("9.8"), .timeLimit(.minutes(20))) struct UnderNobodyTests {
    struct Refused: Error, Equatable {}

    @Test(
        "has nobody on the UI level and bound, and then what was there",
        arguments: ["managed-ada@contoso.com", "", nil]
    )
    func comesBack(_ name: String?) async throws {
        let before = try name.map { $0.isEmpty ? .nobody : try Identity($0) }
        let fixture = try SwitcherFixture()
        #expect(await fixture.switcher.switchUI(to: before) == .success)
        let value = fixture.switcher.underNobody {
            #expect(fixture.levels.ui == .nobody)
            #expect(Identity.current == .nobody)
            return 7
        }
        #expect(value == 7)
        #expect(fixture.levels.ui == before)
        await fixture.switcher.underNobody {
            await Task.yield()
            #expect(fixture.levels.ui == .nobody)
            #expect(Identity.current == .nobody)
        }
        #expect(fixture.levels.ui == before)
        #expect(fixture.findings.all.isEmpty)
    }

    @Test("ends by an error as by a return, and keeps its type") func errors() async throws {
        let fixture = try SwitcherFixture()
        #expect(await fixture.switcher.switchUI(to: ada) == .success)
        do throws(Refused) {
            try fixture.switcher.underNobody { () throws(Refused) in throw Refused() }
        } catch { #expect(error == Refused()) }
        #expect(fixture.levels.ui == ada)
        do throws(Refused) {
            try await fixture.switcher.underNobody { () async throws(Refused) in throw Refused() }
        } catch { #expect(error == Refused()) }
        #expect(fixture.levels.ui == ada)
    }

    @Test("keeps what was switched or set meanwhile, even if it is nobody again", arguments: 0..<5)
    func switchedMeanwhile(_ way: Int) async throws {
        let fixture = try SwitcherFixture()
        #expect(await fixture.switcher.switchUI(to: ada) == .success)
        let after: Identity? = await fixture.switcher.underNobody {
            switch way {
            case 0:
                #expect(await fixture.switcher.switchUI(to: grace) == .success)
                return grace
            case 1:
                #expect(await fixture.switcher.switchUI(to: .nobody) == .success)
                return .nobody
            case 2:
                #expect(await fixture.switcher.switchUI(to: nil) == .success)
                return nil
            case 3:
                fixture.levels.ui = guest
                return guest
            default:
                fixture.levels.ui = .nobody
                return .nobody
            }
        }
        #expect(fixture.levels.ui == after)
        #expect(fixture.findings.all.isEmpty)
    }

    @Test("does not show an identity whose switch failed or was refused: that is no switch")
    func failedMeanwhile() async throws {
        let fixture = try SwitcherFixture()
        #expect(await fixture.switcher.switchUI(to: ada) == .success)
        fixture.switcher.register(LaunchCheck("PIN") { _ in .failed("wrong") })
        await fixture.switcher.underNobody {
            #expect(await fixture.switcher.switchUI(to: grace) != .success)
            fixture.levels.ui = grace
        }
        #expect(fixture.levels.ui == ada)
    }

    @Test("nests, and ends with the outermost; overlapping ones end with the last", arguments: [true, false])
    func overlapping(_ firstEndsFirst: Bool) async throws {
        let fixture = try SwitcherFixture()
        #expect(await fixture.switcher.switchUI(to: ada) == .success)
        fixture.switcher.underNobody {
            fixture.switcher.underNobody { #expect(fixture.levels.ui == .nobody) }
            #expect(fixture.levels.ui == .nobody)
        }
        #expect(fixture.levels.ui == ada)

        let (first, second) = (Gate(), Gate())
        let one = Task { await fixture.switcher.underNobody { await first.wait() } }
        await first.untilThereCame(1)
        let other = Task { await fixture.switcher.underNobody { await second.wait() } }
        await second.untilThereCame(1)
        (firstEndsFirst ? first : second).open()
        await (firstEndsFirst ? one : other).value
        #expect(fixture.levels.ui == .nobody)
        (firstEndsFirst ? second : first).open()
        await (firstEndsFirst ? other : one).value
        #expect(fixture.levels.ui == ada)
    }

    @Test("that begins after a switch inside another one restores the switch's identity")
    func secondAfterSwitch() async throws {
        let fixture = try SwitcherFixture()
        #expect(await fixture.switcher.switchUI(to: ada) == .success)
        let (first, second) = (Gate(), Gate())
        let one = Task { await fixture.switcher.underNobody { await first.wait() } }
        await first.untilThereCame(1)
        #expect(await fixture.switcher.switchUI(to: grace) == .success)
        let other = Task { await fixture.switcher.underNobody { await second.wait() } }
        await second.untilThereCame(1)
        first.open()
        await one.value
        #expect(fixture.levels.ui == .nobody)
        second.open()
        await other.value
        #expect(fixture.levels.ui == grace)
    }

    @Test("does not restore an account that is no longer allowed: nobody stays, which is reported")
    func noLongerAllowed() async throws {
        let fixture = try SwitcherFixture()
        #expect(await fixture.switcher.switchUI(to: ada) == .success)
        fixture.switcher.underNobody { fixture.accounts.refuse(ada, "dismissed") }
        #expect(fixture.levels.ui == .nobody)
        #expect(fixture.findings.all.map(\.kind) == [.switchMisused])
        #expect(fixture.findings.all.first?.message.contains("dismissed") == true)
    }

    @Test("neither delays a running switch nor is delayed by it")
    func duringASwitch() async throws {
        let fixture = try SwitcherFixture()
        #expect(await fixture.switcher.switchUI(to: ada) == .success)
        let hold = Gate()
        fixture.switcher.register(.waiting("PIN", for: hold))
        let task = Task { await fixture.switcher.switchUI(to: grace) }
        await hold.untilThereCame(1)
        fixture.switcher.underNobody { #expect(fixture.levels.ui == .nobody) }
        #expect(fixture.levels.ui == ada)
        hold.open()
        #expect(await task.value == .success)
        #expect(fixture.levels.ui == grace)
    }
}
