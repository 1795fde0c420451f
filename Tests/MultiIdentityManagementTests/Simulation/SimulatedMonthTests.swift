import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

@Suite("A simulated month") struct SimulatedMonthTests {
    @Test("has no missed, no double and no early request", .rule("15.2", "15.3", "15.10"), arguments: [UInt64(1)])
    func hasNoMissedNoDoubleAndNoEarlyRequest(_ seed: UInt64) throws {
        let store = AccountsInMemory()
        var settings = SimulatedWorld.Settings(seed: seed)
        settings.options.lookInterval = .seconds(3_600)
        let world = SimulatedWorld(settings) { store }
        let begin = world.clock.now
        let users = try (0..<1_000).map { try Identity("user\($0)\(world.suffix)") }
        world.start(0)
        for chunk in 0..<10 {
            for user in users[chunk * 100..<chunk * 100 + 100] {
                world.judge.registers(user, at: world.clock.now)
                world.program(0) { try $0.register(user) }
            }
            world.run(until: world.clock.now.advanced(by: .seconds(3_600)))
        }
        for restart in 0..<50 {
            let slot = Duration.seconds(30 * 86_400 - 36_000) / 50
            world.run(until: begin.advanced(by: .seconds(36_000) + slot * restart + .seconds(world.dice.below(20_000))))
            switch world.dice.below(4) {
            case 0: world.kill(0)
            case 1: world.doom(0, afterSteps: 1 + world.dice.below(60))
            case 2: world.doom(0, .beforeCommit, afterTransactions: world.dice.below(20))
            default: world.doom(0, .afterCommit, afterTransactions: world.dice.below(20))
            }
            world.run(until: world.clock.now.advanced(by: .seconds(4_000)))
            world.kill(0)
            let downtimes = [0, 1, 60, 500, 3_600, 20_000]
            world.run(until: world.clock.now.advanced(by: .seconds(downtimes[world.dice.below(downtimes.count)])))
            world.start(0)
        }
        world.run(until: begin.advanced(by: .seconds(30 * 86_400)))
        let faults = world.end()
        let findings = world.judge.findings
        print(
            "seed \(seed): \(findings.requests), \(findings.interrupted) interrupted, \(world.kills) kills, \(world.steps) steps, \(findings.events) events, latest \(findings.latest)"
        )
        let isFine = faults.isEmpty
        #expect(isFine, "\(faults.count) faults, the first: \(faults.prefix(8))")
    }
}
