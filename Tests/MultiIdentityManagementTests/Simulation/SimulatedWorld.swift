import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy

/// Processes with a registry each on one store, a service, and a time that goes on when all of them wait for it.
///
/// One thread runs them, one step of one task at a time, in an order that a seed decides. So a seed gives one run, always.
final class SimulatedWorld {
    struct Settings {
        var seed: UInt64
        var processes = 1
        var mode = AccountsMode.multi
        var options = AccountRegistryOptions()
        var failures = 30
        var tardiness = Duration.zero
    }

    /// One process, from its start to its end.
    private final class Incarnation {
        let process = SimulatedProcess()
        let store: SimulatedStore
        let registry: AccountRegistry
        let told = Locked<[Int64]>([])
        var subscription: PolicySubscription?
        let begin: Int64

        init(_ world: SimulatedWorld) {
            store = SimulatedStore(world.connect(), process)
            begin = world.harvested
            let feed = PolicyFeed(PolicySet(standard: .everything))
            let settings = world.settings
            registry = AccountRegistry(
                Accounts(mode: settings.mode, policies: feed, levels: IdentityLevels()),
                store,
                world.service,
                world.service,
                EveryAccountIsWork(),
                feed,
                settings.options,
                world.clock,
                { [service = world.service] in try await service.wipe($0) },
                on: process
            )
            let (told, process) = (told, process)
            subscription = registry.onEvent { event in
                if !process.isDead { told.withLock { $0.append(event.number) } }
            }
        }
    }

    let settings: Settings
    let clock = SteppedClock()
    let judge: TimerJudge
    let service: SimulatedService
    var dice: Dice
    private let connect: () -> any AccountStore
    private let observer: any AccountStore
    private var running: [Incarnation?]
    private(set) var harvested: Int64 = 0
    private(set) var steps = 0
    private(set) var kills = 0
    private(set) var faults: [String] = []
    /// The process that ends after so many steps.
    private var doomed: (process: Int, steps: Int)?

    init(_ settings: Settings, connect: @escaping () -> any AccountStore) {
        self.settings = settings
        self.connect = connect
        observer = connect()
        dice = Dice(settings.seed)
        running = Array(repeating: nil, count: settings.processes)
        var rules = TimerJudge.Rules()
        rules.mode = settings.mode == .single ? .oneManaged : .manyManaged
        rules.tardiness = settings.tardiness
        judge = TimerJudge(rules)
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
    }

    /// Has a process do something of the program's; it may end before that is done.
    func program(_ process: Int, _ body: @escaping @Sendable (AccountRegistry) async throws -> Void) {
        guard let incarnation = running[process] else { return }
        let registry = incarnation.registry
        Task(executorPreference: incarnation.process) { _ = try? await body(registry) }
    }

    func doom(_ process: Int, afterSteps steps: Int) { doomed = (process, steps) }

    func doom(_ process: Int, _ crash: SimulatedStore.Crash, afterTransactions count: Int) {
        running[process]?.store.crash(crash, after: count)
    }

    func kill(_ process: Int) {
        guard let incarnation = running[process] else { return }
        incarnation.process.kill()
        incarnation.registry.abandon()
        incarnation.subscription?.cancel()
        running[process] = nil
        kills += 1
        harvest()
        checkTold(incarnation, isOver: true)
        judge.killed(process, othersRun: isAnyUp)
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
            let before = incarnation.store.transactions
            incarnation.process.step(&dice)
            steps += 1
            if incarnation.store.transactions != before { harvest() }
            if incarnation.store.hasCrashed { kill(chosen) }
            if let doomed, running[doomed.process] != nil {
                self.doomed?.steps -= 1
                if doomed.steps <= 1 {
                    self.doomed = nil
                    kill(doomed.process)
                }
            }
        }
    }

    /// Shows the judge the events that came.
    private func harvest() {
        do throws(AccountStoreError) {
            let after = harvested
            let events = try observer.transaction { (transaction) throws(AccountStoreError) in
                try transaction.events(after: after, limit: .max)
            }
            for event in events {
                if event.number != harvested + 1 { faults.append("event \(event.number) after \(harvested)") }
                harvested = event.number
                judge.happened(event)
            }
        } catch {
            faults.append("\(error)")
        }
    }

    /// Each event from the process's begin on is told in it, once and in order; the last ones may be missing where it ended.
    private func checkTold(_ incarnation: Incarnation, isOver: Bool) {
        let told = incarnation.told.withLock { $0 }
        if let first = told.first, first > incarnation.begin + 1 {
            faults.append("told from \(first), not \(incarnation.begin + 1)")
        }
        for (one, next) in zip(told, told.dropFirst()) where next != one + 1 {
            faults.append("told \(next) after \(one)")
        }
        if !isOver, incarnation.begin < harvested, told.last != harvested {
            faults.append("told up to \(String(describing: told.last)) of \(harvested)")
        }
    }

    /// Ends it all, and returns what went against the rules.
    func end() -> [String] {
        run(until: clock.now.advanced(by: settings.options.lookInterval))
        for case let incarnation? in running { checkTold(incarnation, isOver: false) }
        judge.ends(at: clock.now)
        for process in running.indices { kill(process) }
        return judge.findings.faults + faults
    }
}
