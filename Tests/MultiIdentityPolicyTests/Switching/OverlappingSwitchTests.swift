import MultiIdentity
@_spi(Checks) import MultiIdentityTesting
import Testing

@testable import MultiIdentityPolicy

@Suite("Overlapping switches", .rule("9.4"), .timeLimit(.minutes(20))) struct OverlappingSwitchTests {
    /// The fate of one switch.
    private enum Fate { case passed, failed, cancelledInLine, cancelledInCheck }

    @Test("are served in the order of the requests, each with its own result", arguments: 0..<8)
    func inOrder(_ round: Int) async throws {
        var generator = SystemRandomNumberGenerator()
        let seed = generator.next()
        var random = SeededGenerator(seed: seed)
        let fates: [Fate] = (0..<60).map { _ in
            [.passed, .failed, .cancelledInLine, .cancelledInCheck][random.below(4)]
        }
        let people = try (0..<60).map { try Identity("managed-\($0)@contoso.com") }
        let fixture = try SwitcherFixture()
        let (hold, served) = (Gate(), Notes<Identity>())
        let tasks = Notes<Task<SwitchResult, Never>>()
        fixture.switcher.register(
            LaunchCheck("fate") { identity in
                served.add(identity)
                await hold.wait()
                guard let index = people.firstIndex(of: identity) else { return .passed }
                if fates[index] == .cancelledInCheck { tasks.all[index].cancel() }
                return fates[index] == .failed ? .failed("as foreseen") : .passed
            }
        )
        let ada = Person.ada
        let front = Task { await fixture.switcher.switchUI(to: ada) }
        await hold.untilThereCame(1)
        for (index, person) in people.enumerated() {
            tasks.add(Task.detached { await fixture.switcher.switchUI(to: person) })
            while fixture.switcher.turns.waiting <= index { await Task.yield() }
        }
        for (task, fate) in zip(tasks.all, fates) where fate == .cancelledInLine { task.cancel() }
        hold.open()
        #expect(await front.value == .success)
        for (index, task) in tasks.all.enumerated() {
            let expected: SwitchResult =
                switch fates[index] {
                case .passed: .success
                case .failed: .failed(.check(name: "fate", reason: "as foreseen"))
                case .cancelledInLine, .cancelledInCheck: .cancelled
                }
            #expect(await task.value == expected, "seed \(seed), number \(index)")
        }
        let expected = [ada] + zip(people, fates).filter { $0.1 != .cancelledInLine }.map(\.0)
        #expect(served.all == expected, "seed \(seed)")
        #expect(fixture.levels.ui == (Array(zip(people, fates)).last { $0.1 == .passed }?.0 ?? ada), "seed \(seed)")
    }

    @Test("from many tasks never run in parallel, and the last success sets the level")
    func freely() async throws {
        var generator = SystemRandomNumberGenerator()
        let seed = generator.next()
        var random = SeededGenerator(seed: seed)
        let people = try (0..<200).map { try Identity("managed-\($0)@contoso.com") }
        let plan = people.map { _ in (fails: random.below(3) == 0, yields: random.below(5)) }
        let fixture = try SwitcherFixture()
        let (inside, served) = (Notes<Int>(), Notes<Int>())
        fixture.switcher.register(
            LaunchCheck("plan") { identity in
                guard let index = people.firstIndex(of: identity) else { return .failed("a stranger") }
                served.add(index)
                inside.add(1)
                for _ in 0..<plan[index].yields { await Task.yield() }
                inside.add(-1)
                return plan[index].fails ? .failed("planned") : .passed
            }
        )
        let results = await withTaskGroup(of: (Int, SwitchResult).self) { group in
            for index in people.indices {
                group.addTask { (index, await fixture.switcher.switchUI(to: people[index])) }
            }
            return await group.reduce(into: [(Int, SwitchResult)]()) { $0.append($1) }
        }
        #expect(results.count == people.count)
        #expect(Set(results.map(\.0)).count == people.count)
        for (index, result) in results {
            let expected = plan[index].fails ? SwitchResult.failed(.check(name: "plan", reason: "planned")) : .success
            #expect(result == expected, "seed \(seed), number \(index)")
        }
        #expect(served.all.sorted() == Array(people.indices), "seed \(seed)")
        #expect(inside.all == (0..<people.count).flatMap { _ in [1, -1] }, "seed \(seed): two ran side by side")
        let last = served.all.last { !plan[$0].fails }
        #expect(fixture.levels.ui == last.map { people[$0] }, "seed \(seed)")
    }

    @Test("wait in line by the thousand, and leave it, at no cost to the others") func manyInLine() async throws {
        let fixture = try SwitcherFixture()
        let hold = Gate()
        fixture.switcher.register(.waiting("hold", for: hold))
        let (ada, guest) = (Person.ada, Person.guest)
        let front = Task { await fixture.switcher.switchUI(to: ada) }
        await hold.untilThereCame(1)
        let tasks = (0..<5_000).map { _ in Task { await fixture.switcher.switchUI(to: guest) } }
        while fixture.switcher.turns.waiting < tasks.count { await Task.yield() }
        for task in tasks.dropLast() { task.cancel() }
        for task in tasks.dropLast() { #expect(await task.value == .cancelled) }
        #expect(fixture.switcher.turns.waiting == 1)
        hold.open()
        #expect(await front.value == .success)
        #expect(await tasks[4_999].value == .success)
        #expect(fixture.levels.ui == guest)
    }
}
