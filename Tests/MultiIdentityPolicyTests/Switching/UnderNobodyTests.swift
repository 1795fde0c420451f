import MultiIdentity
import MultiIdentityTesting
import Testing

@testable import MultiIdentityPolicy

@Suite("A while under nobody") struct UnderNobodyTests {
    struct Refused: Error, Equatable {}

    @Test(
        "has nobody on the UI level and bound, and then whoever was there",
        arguments: ["managed-ada@contoso.com", "", nil]
    )
    func comesBack(_ name: String?) async throws {
        let before = try name.map { $0.isEmpty ? .nobody : try Identity($0) }
        let desk = try Desk()
        #expect(await desk.switcher.switchUI(to: before) == .success)
        let value = desk.switcher.underNobody {
            #expect(desk.levels.ui == .nobody)
            #expect(Identity.current == .nobody)
            return 7
        }
        #expect(value == 7)
        #expect(desk.levels.ui == before)
        await desk.switcher.underNobody {
            await Task.yield()
            #expect(desk.levels.ui == .nobody)
            #expect(Identity.current == .nobody)
        }
        #expect(desk.levels.ui == before)
        #expect(desk.findings.all.isEmpty)
    }

    @Test("ends by an error as by a return, and keeps its type")
    func errors() async throws {
        let ada = try Person.ada
        let desk = try Desk()
        #expect(await desk.switcher.switchUI(to: ada) == .success)
        do throws(Refused) {
            try desk.switcher.underNobody { () throws(Refused) in throw Refused() }
        } catch { #expect(error == Refused()) }
        #expect(desk.levels.ui == ada)
        do throws(Refused) {
            try await desk.switcher.underNobody { () async throws(Refused) in throw Refused() }
        } catch { #expect(error == Refused()) }
        #expect(desk.levels.ui == ada)
    }

    @Test("leaves what was switched or set meanwhile, be it nobody again", arguments: 0..<5)
    func switchedMeanwhile(_ way: Int) async throws {
        let (ada, grace, guest) = (try Person.ada, try Person.grace, try Person.guest)
        let desk = try Desk()
        #expect(await desk.switcher.switchUI(to: ada) == .success)
        let after: Identity? = await desk.switcher.underNobody {
            switch way {
            case 0:
                #expect(await desk.switcher.switchUI(to: grace) == .success)
                return grace
            case 1:
                #expect(await desk.switcher.switchUI(to: .nobody) == .success)
                return .nobody
            case 2:
                #expect(await desk.switcher.switchUI(to: nil) == .success)
                return nil
            case 3:
                desk.levels.ui = guest
                return guest
            default:
                desk.levels.ui = .nobody
                return .nobody
            }
        }
        #expect(desk.levels.ui == after)
        #expect(desk.findings.all.isEmpty)
    }

    @Test("leaves whoever a switch failed or was refused for in the dark: that is no switch")
    func failedMeanwhile() async throws {
        let (ada, grace) = (try Person.ada, try Person.grace)
        let desk = try Desk()
        #expect(await desk.switcher.switchUI(to: ada) == .success)
        desk.switcher.register(LaunchCheck("PIN") { _ in .failed("wrong") })
        await desk.switcher.underNobody {
            #expect(await desk.switcher.switchUI(to: grace) != .success)
            desk.levels.ui = grace
        }
        #expect(desk.levels.ui == ada)
    }

    @Test(
        "nests, and ends with the outermost; those that overlap end with the last",
        .timeLimit(.minutes(20)),
        arguments: [true, false]
    )
    func overlapping(_ firstEndsFirst: Bool) async throws {
        let ada = try Person.ada
        let desk = try Desk()
        #expect(await desk.switcher.switchUI(to: ada) == .success)
        desk.switcher.underNobody {
            desk.switcher.underNobody { #expect(desk.levels.ui == .nobody) }
            #expect(desk.levels.ui == .nobody)
        }
        #expect(desk.levels.ui == ada)

        let (first, second) = (Latch(), Latch())
        let one = Task { await desk.switcher.underNobody { await first.wait() } }
        await first.untilThereCame(1)
        let other = Task { await desk.switcher.underNobody { await second.wait() } }
        await second.untilThereCame(1)
        (firstEndsFirst ? first : second).open()
        await (firstEndsFirst ? one : other).value
        #expect(desk.levels.ui == .nobody)
        (firstEndsFirst ? second : first).open()
        await (firstEndsFirst ? other : one).value
        #expect(desk.levels.ui == ada)
    }

    @Test(
        "that begins after a switch in the middle of another brings back whom that switch brought",
        .timeLimit(.minutes(20))
    )
    func secondAfterSwitch() async throws {
        let (ada, grace) = (try Person.ada, try Person.grace)
        let desk = try Desk()
        #expect(await desk.switcher.switchUI(to: ada) == .success)
        let (first, second) = (Latch(), Latch())
        let one = Task { await desk.switcher.underNobody { await first.wait() } }
        await first.untilThereCame(1)
        #expect(await desk.switcher.switchUI(to: grace) == .success)
        let other = Task { await desk.switcher.underNobody { await second.wait() } }
        await second.untilThereCame(1)
        first.open()
        await one.value
        #expect(desk.levels.ui == .nobody)
        second.open()
        await other.value
        #expect(desk.levels.ui == grace)
    }

    @Test("does not bring back an account that is no longer allowed: nobody stays, which is reported")
    func noLongerAllowed() async throws {
        let ada = try Person.ada
        let desk = try Desk()
        #expect(await desk.switcher.switchUI(to: ada) == .success)
        desk.switcher.underNobody { desk.accounts.refuse(ada, "dismissed") }
        #expect(desk.levels.ui == .nobody)
        #expect(desk.findings.all.map(\.kind) == [.switchMisused])
        #expect(desk.findings.all.first?.message.contains("dismissed") == true)
    }

    @Test("does not hold a running switch up, nor a switch it")
    func duringASwitch() async throws {
        let (ada, grace) = (try Person.ada, try Person.grace)
        let desk = try Desk()
        #expect(await desk.switcher.switchUI(to: ada) == .success)
        let hold = Latch()
        desk.switcher.register(
            LaunchCheck("PIN") { _ in
                await hold.wait()
                return .passed
            }
        )
        let task = Task { await desk.switcher.switchUI(to: grace) }
        await hold.untilThereCame(1)
        desk.switcher.underNobody { #expect(desk.levels.ui == .nobody) }
        #expect(desk.levels.ui == ada)
        hold.open()
        #expect(await task.value == .success)
        #expect(desk.levels.ui == grace)
    }

    @Test("many at once, and switches among them, end with whom the last switch brought", .timeLimit(.minutes(20)))
    func many() async throws {
        var generator = SystemRandomNumberGenerator()
        let seed = generator.next()
        var random = SeededGenerator(seed: seed)
        let (ada, grace) = (try Person.ada, try Person.grace)
        for round in 0..<50 {
            let desk = try Desk()
            #expect(await desk.switcher.switchUI(to: ada) == .success)
            let yields = (0..<12).map { _ in random.below(6) }
            let switches = random.below(2) == 0
            await withTaskGroup(of: Void.self) { group in
                for count in yields {
                    group.addTask {
                        await desk.switcher.underNobody { for _ in 0..<count { await Task.yield() } }
                    }
                }
                if switches { group.addTask { _ = await desk.switcher.switchUI(to: grace) } }
            }
            #expect(desk.levels.ui == (switches ? grace : ada), "seed \(seed), round \(round)")
        }
    }
}
