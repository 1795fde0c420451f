import MultiIdentity
@_spi(Checks) import MultiIdentityTesting
import Testing

@testable import MultiIdentityPolicy

@Suite("A cancelled switch", .rule("9.2"), .timeLimit(.minutes(20))) struct SwitchCancellationTests {
    /// The moment of the cancellation.
    enum Point: CaseIterable, Sendable {
        case beforeItBegins, inLine, asItsTurnComes, beforeTheChecks, inACheckThatHeeds, inACheckThatDoesNot
        case asACheckIsPassed, inTheLastCheck, beforeTheLevelIsSet
    }

    /// The task that asks, for the code that cancels it.
    private final class Asker: Sendable {
        private let task = Promise<Task<SwitchResult, Never>>()
        func set(_ task: Task<SwitchResult, Never>) { self.task.give(task) }
        func cancel() { task.given?.cancel() }
    }

    @Test("ends as cancelled, leaves the level, and lets the next continue", arguments: Point.allCases)
    func cancelled(at point: Point) async throws {
        let (ada, guest, before) = (Person.ada, Person.guest, try Identity("before@fabrikam.com"))
        let fixture = try SwitcherFixture(ui: before)
        let (asker, begun, inFront, never) = (Asker(), Gate(), Gate(), Gate())
        let questions = Notes<Identity>()
        fixture.accounts.whenAsked { identity in
            guard identity == ada else { return }
            questions.add(identity)
            if point == .beforeTheChecks, questions.all.count == 1 { asker.cancel() }
            if point == .beforeTheLevelIsSet, questions.all.count == 2 { asker.cancel() }
        }
        fixture.switcher.register(
            LaunchCheck("first") { identity in
                guard identity == ada else {
                    await inFront.wait()
                    if point == .asItsTurnComes { asker.cancel() }
                    return .passed
                }
                await begun.wait()
                switch point {
                case .inACheckThatHeeds: try await Task.sleep(for: .seconds(86_400))
                case .inACheckThatDoesNot: await never.wait()
                case .asACheckIsPassed: asker.cancel()
                default: break
                }
                return .passed
            }
        )
        fixture.switcher.register(
            LaunchCheck("last") { identity in
                if identity == ada, point == .inTheLastCheck { asker.cancel() }
                return .passed
            }
        )
        let grace = Person.grace
        let isBehind = point == .inLine || point == .asItsTurnComes
        let first = isBehind ? Task { await fixture.switcher.switchUI(to: grace) } : nil
        if isBehind { await inFront.untilThereCame(1) }

        let gate = Gate()
        let task = Task {
            await gate.wait()
            return await fixture.switcher.switchUI(to: ada)
        }
        asker.set(task)
        if point == .beforeItBegins { task.cancel() }
        gate.open()
        if isBehind { while fixture.switcher.turns.waiting == 0 { await Task.yield() } }
        if point == .inLine { task.cancel() }
        if point == .inACheckThatHeeds || point == .inACheckThatDoesNot {
            await begun.untilThereCame(1)
            task.cancel()
        }
        if point == .asItsTurnComes { inFront.open() }
        if ![.beforeItBegins, .inLine, .asItsTurnComes, .beforeTheChecks].contains(point) { begun.open() }
        #expect(await task.value == .cancelled)
        if point == .asItsTurnComes, let first { #expect(await first.value == .success) }
        #expect(fixture.levels.ui == (point == .asItsTurnComes ? grace : before))

        inFront.open()
        if let first { #expect(await first.value == .success) }
        #expect(await fixture.switcher.switchUI(to: guest) == .success)
        #expect(fixture.levels.ui == guest)
        #expect(fixture.switcher.turns.waiting == 0)
        begun.open()
        never.open()
        await fixture.clock.untilThereSleep(0)
    }

    @Test("at any moment has a result that agrees with the level") func anyMoment() async throws {
        var generator = SystemRandomNumberGenerator()
        let seed = generator.next()
        var random = SeededGenerator(seed: seed)
        let ada = Person.ada
        for round in 0..<500 {
            let fixture = try SwitcherFixture(checks: [
                LaunchCheck("yields") { _ in
                    await Task.yield()
                    return .passed
                }
            ])
            let task = Task.detached { await fixture.switcher.switchUI(to: ada) }
            for _ in 0..<random.below(12) { await Task.yield() }
            task.cancel()
            let result = await task.value
            #expect(result == .success || result == .cancelled, "seed \(seed), round \(round)")
            #expect(fixture.levels.ui == (result == .success ? ada : nil), "seed \(seed), round \(round)")
        }
    }
}
