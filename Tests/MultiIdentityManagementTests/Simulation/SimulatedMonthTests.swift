import Foundation
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

@Suite("A simulated month") struct SimulatedMonthTests {
    private static let day = 86_400
    /// Fewer than the 1,000 that the run before a release has: in a debug build that takes most of a minute.
    private static let accounts =
        ProcessInfo.processInfo.environment["MULTI_IDENTITY_MONTH_ACCOUNTS"].flatMap(Int.init) ?? 100
    /// The seeds of the other two tests, and the days of the last, of which that run has more too.
    private static let seeds: ClosedRange<UInt64> = 1...(accounts < 1_000 ? 2 : 8)
    private static let days = accounts < 1_000 ? 15 : 60

    /// Ends a process in one of the ways there are: at once, at any `await`, or before or after a commit.
    private func doom(_ process: Int, in world: SimulatedWorld) {
        let calls = 1 + world.dice.below(4)
        switch world.dice.below(7) {
        case 0: world.kill(process)
        case 1, 2, 3: world.doom(process, afterCalls: calls, .atAwait(afterSteps: world.dice.below(12)))
        case 4: world.doom(process, afterCalls: calls, .atCommit(.beforeCommit, afterTransactions: world.dice.below(3)))
        default: world.doom(process, afterCalls: calls, .atCommit(.afterCommit, afterTransactions: world.dice.below(3)))
        }
    }

    /// Has some accounts leave, with a wipe or without, and registers some of those that have left again.
    private func comeAndGo(_ users: [Identity], _ count: Int, in world: SimulatedWorld) {
        for _ in 0..<count {
            let user = users[world.dice.below(users.count)]
            let life = world.judge.life(of: user)
            if life.isRegistered {
                let wiping = world.dice.below(2) == 0
                world.program(world.dice.below(world.settings.processes), deregistering: user, wiping: wiping)
            } else if life.window == nil, life.request == nil {
                world.program(world.dice.below(world.settings.processes), registering: user)
            }
        }
    }

    @Test("has no missed, no double and no early request", .rule("15.2", "15.3", "15.10"))
    func hasNoMissedNoDoubleAndNoEarlyRequest() throws {
        let clock = SteppedClock()
        let store = SQLiteAccountStore(clock: clock)
        var settings = SimulatedWorld.Settings(seed: 1)
        settings.configuration.lookInterval = .seconds(3_600)
        let world = SimulatedWorld(settings, clock) { store }
        let (begin, slot) = (world.clock.now, (30 * Self.day - 36_000) / 50)
        let users = try (0..<Self.accounts).map { try Identity("user\($0)\(world.suffix)") }
        world.start(0)
        for chunk in 0..<10 {
            for place in users.indices where place % 10 == chunk { world.program(0, registering: users[place]) }
            world.run(until: world.clock.now.advanced(by: .seconds(3_600)))
        }
        for restart in 0..<50 {
            world.run(until: begin.advanced(by: .seconds(36_000 + slot * restart + world.dice.below(20_000))))
            comeAndGo(users, 4, in: world)
            doom(0, in: world)
            world.run(until: world.clock.now.advanced(by: .seconds(4_000)))
            world.kill(0)
            let downtimes = [0, 1, 60, 500, 3_600, 20_000]
            world.run(until: world.clock.now.advanced(by: .seconds(downtimes[world.dice.below(downtimes.count)])))
            world.start(0)
        }
        world.run(until: begin.advanced(by: .seconds(30 * Self.day)))
        world.expectNoFaults(kills: 51, requests: Self.accounts * 40)
    }

    @Test(
        "has no request while one is enrolled where one is managed at a time, and all a day after that one left",
        .rule("15.2"),
        arguments: seeds
    )
    func hasNoRequestWhileOneIsEnrolled(_ seed: UInt64) throws {
        let clock = SteppedClock()
        let store = SQLiteAccountStore(clock: clock)
        var settings = SimulatedWorld.Settings(seed: 1_000 + seed)
        settings.mode = seed.isMultiple(of: 2) ? .single : .oneManaged
        settings.failures = 80
        settings.configuration.lookInterval = .seconds(3_600)
        let world = SimulatedWorld(settings, clock) { store }
        let begin = world.clock.now
        let users = try (0..<20).map { try Identity("user\($0)\(world.suffix)") }
        world.start(0)
        for user in users { world.program(0, registering: user) }
        for restart in 0..<50 {
            world.run(until: begin.advanced(by: .seconds(52_000 * restart + world.dice.below(20_000))))
            if world.dice.below(3) == 0, let user = world.judge.enrolled {
                world.program(0, deregistering: user, wiping: world.dice.below(2) == 0)
            }
            comeAndGo(users, 1, in: world)
            doom(0, in: world)
            world.run(until: world.clock.now.advanced(by: .seconds(30_000)))
            world.kill(0)
            world.run(until: world.clock.now.advanced(by: .seconds(world.dice.below(600))))
            world.start(0)
        }
        world.run(until: begin.advanced(by: .seconds(31 * Self.day)))
        world.expectNoFaults(kills: 51, requests: 50)
    }

    @Test(
        "has each timer once among three processes that are killed, and each event in all that run",
        .rule("15.10"),
        arguments: seeds
    )
    func hasEachTimerOnceAmongThree(_ seed: UInt64) throws {
        let folder = try DatabaseFolder()
        let begin: WallInstant
        var settings = SimulatedWorld.Settings(seed: 2_000 + seed, processes: 3)
        settings.configuration.lookInterval = .seconds(600)
        // Others hear of a request that one has made, or owes, when they look.
        settings.tardiness = .seconds(600)
        let clock = SteppedClock()
        let stores = try (0..<4).map { _ in try SQLiteAccountStore(folder.database, clock: clock) }
        let next = Locked(0)
        let world = SimulatedWorld(settings, clock) {
            stores[
                next.withLock { next in
                    defer { next = (next + 1) % stores.count }
                    return next
                }
            ]
        }
        begin = world.clock.now
        let users = try (0..<12).map { try Identity("user\($0)\(world.suffix)") }
        for process in 0..<3 { world.start(process) }
        for user in users { world.program(world.dice.below(3), registering: user) }
        while world.clock.now < begin.advanced(by: .seconds(Self.days * Self.day)) {
            world.run(until: world.clock.now.advanced(by: .seconds(world.dice.below(2 * Self.day))))
            comeAndGo(users, 2, in: world)
            let process = world.dice.below(3)
            if world.isUp(process) { doom(process, in: world) } else { world.start(process) }
        }
        for process in 0..<3 where !world.isUp(process) { world.start(process) }
        world.run(until: world.clock.now.advanced(by: .seconds(2 * Self.day)))
        world.expectNoFaults(kills: Self.days / 3, requests: Self.days * 8)
    }
}

extension SimulatedWorld {
    func program(_ process: Int, registering user: Identity) {
        guard isUp(process) else { return }
        program(process) { [judge, clock] registry in
            // Whom a wipe or a sign-out of its own revoked has signed in anew.
            IdentityRevocation.readmit(user)
            judge.registers(user, at: clock.now)
            do { try registry.register(user) } catch { judge.isUnsure(of: user) }
        }
    }

    func program(_ process: Int, deregistering user: Identity, wiping: Bool) {
        guard isUp(process) else { return }
        program(process) { [judge] registry in
            judge.deregisters(user, wiping: wiping)
            try await registry.deregister(user, wiping: wiping)
        }
    }

    /// Ends the world, and expects that it kept to the rules, and that there was something to keep to them.
    func expectNoFaults(kills: Int, requests: Int) {
        let faults = end()
        let findings = judge.findings
        let made = findings.requests.values.reduce(0, +)
        print(
            "seed \(settings.seed): \(findings.requests.map { "\($0.key) \($0.value)" }.sorted()), \(findings.interrupted) interrupted,",
            "\(self.kills) kills, \(steps) steps, \(findings.events) events, late by up to \(findings.latest)"
        )
        let isFine = faults.isEmpty
        #expect(isFine, "seed \(settings.seed): \(faults.count) faults, the first: \(faults.prefix(8))")
        #expect(self.kills >= kills && made >= requests && findings.interrupted > 0)
    }
}
