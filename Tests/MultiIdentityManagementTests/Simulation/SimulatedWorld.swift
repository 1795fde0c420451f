import MultiIdentity
import MultiIdentityManagement

@testable import MultiIdentityPolicy

/// Processes with a registry each on one store, a service, and a time that goes on when all of them wait for it.
///
/// One thread runs them, one step of one task at a time, in an order that a seed decides. So a seed gives one run, always.
final class SimulatedWorld {
    struct Settings {
        var seed: UInt64
        var processes = 1
        var mode = AccountsMode.multi
        var configuration = ManagementConfiguration()
        var failures = 30
        var tardiness = Duration.zero

        init(seed: UInt64, processes: Int = 1) {
            (self.seed, self.processes) = (seed, processes)
            // A simulated year has these.
            (configuration.offlineWarn, configuration.offlineBlock) = (nil, nil)
            // As many as are due: what waits for others would be late.
            configuration.requestsAtOnce = 10_000
        }
    }

    /// One process, from its start to its end.
    private final class Incarnation {
        let process = SimulatedProcess()
        let store: SimulatedStore
        let accounts: Accounts
        let registry: AccountRegistry
        let announced = Locked<[Int64]>([])
        var subscription: PolicySubscription?
        let begin: Int64

        init(_ world: SimulatedWorld) {
            store = SimulatedStore(world.connect(), process)
            begin = world.judge.lastEvent
            let feed = PolicyFeed(PolicySet(standard: .everything))
            let settings = world.settings
            accounts = Accounts(mode: settings.mode, policies: feed, levels: IdentityLevels())
            var surroundings = AccountRegistry.Surroundings()
            surroundings.executor = process
            registry = AccountRegistry.$ofTests.withValue(surroundings) { [accounts, store] in
                AccountRegistry(
                    accounts: accounts,
                    store: store,
                    service: world.service,
                    credentials: world.service,
                    policies: feed,
                    configuration: settings.configuration,
                    clock: world.clock,
                    wipe: { [service = world.service] in try await service.wipe($0) }
                )
            }
            let (announced, process) = (announced, process)
            subscription = registry.onEvent { event in
                if !process.isDead { announced.withLock { $0.append(event.number) } }
            }
        }
    }

    let settings: Settings
    let clock: SteppedClock
    let judge: TimerJudge
    let service: SimulatedService
    var dice: Dice
    private let connect: () -> any AccountStore
    private var running: [Incarnation?]
    private(set) var steps = 0
    private(set) var kills = 0
    private(set) var faults: [String] = []
    /// The end of a process, when it has made so many calls.
    enum Doom {
        /// At the step after so many.
        case atAwait(afterSteps: Int)
        /// At the transaction after so many.
        case atCommit(SimulatedStore.Crash, afterTransactions: Int)
    }

    private var doomed: [Int: (calls: Int, doom: Doom)] = [:]

    init(_ settings: Settings, _ clock: SteppedClock, connect: @escaping () -> any AccountStore) {
        self.settings = settings
        self.clock = clock
        self.connect = connect
        dice = Dice(settings.seed)
        running = Array(repeating: nil, count: settings.processes)
        var rules = TimerJudge.Rules()
        rules.mode = settings.mode.managesOne ? .oneManaged : .manyManaged
        rules.tardiness = settings.tardiness
        judge = TimerJudge(rules, watching: connect())
        service = SimulatedService(seed: settings.seed, failures: settings.failures, clock: clock, judge: judge)
    }

    var isAnyUp: Bool { running.contains { $0 != nil } }
    func isUp(_ process: Int) -> Bool { running[process] != nil }
    func registry(_ process: Int) -> AccountRegistry? { running[process]?.registry }

    func start(_ process: Int) {
        let incarnation = Incarnation(self)
        running[process] = incarnation
        judge.isUp(at: clock.now)
        let registry = incarnation.registry
        Task(executorPreference: incarnation.process) {
            _ = try? await registry.start()
            await registry.run()
        }
        // Up to its first look at the store, from which on it tells of events.
        incarnation.process.step(&dice)
    }

    /// Has a process do something of the program's; it may end before that is done.
    func program(_ process: Int, _ body: @escaping @Sendable (AccountRegistry) async throws -> Void) {
        guard let incarnation = running[process] else { return }
        let registry = incarnation.registry
        Task(executorPreference: incarnation.process) { _ = try? await body(registry) }
    }

    /// Has a process end in a request: some of its calls from now.
    func doom(_ process: Int, afterCalls calls: Int, _ doom: Doom) {
        doomed[process] = (judge.calls(of: process) + calls, doom)
    }

    func kill(_ process: Int) {
        guard let incarnation = running[process] else { return }
        doomed[process] = nil
        incarnation.process.kill()
        incarnation.registry.abandon()
        incarnation.subscription?.cancel()
        // Its tasks keep it for good: each later revocation in this process would be told to it as well.
        IdentityRevocation.unwatch(incarnation.accounts.state)
        running[process] = nil
        kills += 1
        judge.looks()
        checkTold(incarnation, upTo: nil)
        judge.killed(process, othersRun: isAnyUp, at: clock.now)
        if settings.processes == 1 || !isAnyUp {
            // Whom a process revoked the next one does not know.
            for identity in IdentityRevocation.all.keys where identity.name.hasSuffix(suffix) {
                IdentityRevocation.readmit(identity)
            }
        }
    }

    var suffix: String { "@world\(settings.seed).example" }

    /// Lets everything go on until a moment.
    func run(until moment: WallInstant) {
        settle()
        while let next = clock.nextWake, next <= moment {
            clock.advance(to: next)
            settle()
        }
        clock.advance(to: moment)
    }

    /// Lets everything go on until all wait for the time.
    private func settle() {
        while true {
            let ready = running.indices.filter { running[$0]?.process.hasWork ?? false }
            if ready.isEmpty { break }
            let chosen = ready[ready.count == 1 ? 0 : dice.below(ready.count)]
            guard let incarnation = running[chosen] else { continue }
            judge.runs(chosen)
            incarnation.process.step(&dice)
            steps += 1
            judge.looks()
            if incarnation.store.hasCrashed { kill(chosen) }
            if let (calls, doom) = doomed[chosen], judge.calls(of: chosen) >= calls { carryOut(doom, on: chosen) }
        }
    }

    private func carryOut(_ doom: Doom, on process: Int) {
        switch doom {
        case .atAwait(let steps) where steps > 0: doomed[process]?.doom = .atAwait(afterSteps: steps - 1)
        case .atAwait: kill(process)
        case .atCommit(let crash, let transactions):
            doomed[process] = nil
            running[process]?.store.crash(crash, after: transactions)
        }
    }

    /// Each event from the process's begin on is announced in it, once and in order; the last may be missing where it ended.
    private func checkTold(_ incarnation: Incarnation, upTo last: Int64?) {
        let announced = incarnation.announced.withLock { $0 }
        let untold = judge.findings.untold
        func misses(_ one: Int64, _ next: Int64) -> Bool {
            next <= one || (one + 1..<next).contains { !untold.contains($0) }
        }
        if let first = announced.first, first > incarnation.begin, misses(incarnation.begin, first) {
            faults.append("announced from \(first), not \(incarnation.begin + 1)")
        }
        for (one, next) in zip(announced, announced.dropFirst()) where misses(one, next) {
            faults.append("announced \(next) after \(one)")
        }
        let told = max(announced.last ?? 0, incarnation.begin)
        if let last, last > told, misses(told, last + 1) {
            faults.append("announced up to \(announced.last ?? 0) of \(last)")
        }
    }

    /// Ends it all, and returns what went against the rules.
    func end() -> [String] {
        let last = judge.lastEvent
        run(until: clock.now.advanced(by: settings.configuration.lookInterval))
        for case let incarnation? in running { checkTold(incarnation, upTo: last) }
        judge.ends(at: clock.now)
        for process in running.indices { kill(process) }
        return judge.findings.faults + faults
    }
}
