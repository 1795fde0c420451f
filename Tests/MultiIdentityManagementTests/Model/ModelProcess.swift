import MultiIdentity

@_spi(Stores) @testable import MultiIdentityManagement
@testable import MultiIdentityPolicy

/// The answer to a call of the service, the provider or the wipe.
enum ModelAnswer: Hashable, Sendable {
    case yes, unchanged, removed, no, malformed
    /// The process has ended.
    case gone
}

/// A call that waits for the fuzzer to answer it.
struct ModelGate: Sendable {
    enum Call: Sendable { case launch, credential, enroll, check, unenroll, wipe }

    let process: Int
    let call: Call
    let account: Int
    let number: Int
    let answer: CheckedContinuation<ModelAnswer, Never>
}

/// The service, provider and wipe of one process: each call waits at a gate, even if it is cancelled.
final class ModelService: EnrollmentService, CredentialProvider, Sendable {
    let waiting = Locked<[ModelGate]>([])
    private let names: ModelNames
    private let process: Int
    /// Numbers the calls of all processes of a world.
    private let numbers: Locked<Int>

    init(_ names: ModelNames, _ process: Int, _ numbers: Locked<Int>) {
        (self.names, self.process, self.numbers) = (names, process, numbers)
    }

    private func ask(_ call: ModelGate.Call, _ identity: Identity) async -> (ModelAnswer, number: Int) {
        let number = numbers.next()
        let answer = await withCheckedContinuation { answer in
            let account = names.place(of: identity)
            let gate = ModelGate(process: process, call: call, account: account, number: number, answer: answer)
            waiting.withLock { $0.append(gate) }
        }
        return (answer, number)
    }

    /// Returns the text of the policies that the answer at a gate gives.
    static func text(_ number: Int) -> String {
        let bits = number % 7 + 1
        let parts = zip(["log", "sendOut", "automate"], [1, 2, 4]).map { "\"\($0)\": \(bits & $1 != 0)" }
        return "{\"version\": 1, \"standard\": {\(parts.joined(separator: ", "))}}"
    }

    func enroll(_ credential: AccountCredential) async throws -> String? {
        let (answer, number) = await ask(.enroll, credential.identity)
        switch answer {
        case .malformed: return "{"
        case .no, .gone: throw EnrollmentFailure(.notLicensed, "gate \(number)")
        default: return Self.text(number)
        }
    }

    func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer {
        let (answer, number) = await ask(.check, credential.identity)
        switch answer {
        case .unchanged: return .unchanged
        case .removed: return .removed("gate \(number)")
        case .malformed: return .replaced("{")
        case .no, .gone: throw EnrollmentFailure(.unreachable, "gate \(number)")
        case .yes: return .replaced(Self.text(number))
        }
    }

    func unenroll(_ credential: AccountCredential) async throws {
        let (answer, number) = await ask(.unenroll, credential.identity)
        if answer != .yes { throw EnrollmentFailure(.unreachable, "gate \(number)") }
    }

    func credential(
        for identity: Identity?,
        prompting: Bool,
        settings: AccountSettings
    ) async throws -> AccountCredential? {
        // The user that the provider knows by itself, at a launch.
        let asked = identity ?? names.here[process % names.others.count]
        guard await ask(identity == nil ? .launch : .credential, asked).0 == .yes else { return nil }
        return AccountCredential(asked, token: "secret")
    }

    func wipe(_ identity: Identity) async -> Bool { await ask(.wipe, identity).0 == .yes }
}

/// One process of a model, from its start to its end.
final class ModelProcess {
    let number: Int
    let names: ModelNames
    let tasks = SimulatedProcess()
    let clock = SteppedClock()
    let store: SimulatedStore
    let service: ModelService
    let accounts: Accounts
    let registry: AccountRegistry
    let announced = Locked<[AccountEvent]>([])
    /// Whether its start returned; `false` if the start failed.
    let hasStarted = Locked<Bool?>(nil)
    /// How far its clock is ahead of the machine's.
    var ahead = Duration.zero
    var isSuspended = false
    private var subscription: Subscription?
    private var running: Task<Void, Never>?

    init(
        _ number: Int,
        on base: any AccountStore,
        machine: SteppedClock,
        calls: Locked<Int>,
        _ settings: ModelSettings
    ) throws {
        self.number = number
        // A small number, so that the data for each name does not grow.
        let names = try ModelNames(number % 512, count: settings.accounts)
        let service = ModelService(names, number, calls)
        (self.names, self.service) = (names, service)
        clock.advance(to: machine.now)
        store = SimulatedStore(NamedStore(base, names), tasks)
        let feed = PolicyFeed(PolicySet(standard: .everything))
        var configuration = ManagementConfiguration()
        configuration.pollInterval = .seconds(600)
        (configuration.offlineWarn, configuration.offlineBlock, configuration.offlineWipe) = settings.silence
        configuration.enrollsAtLaunch = settings.enrollsAtLaunch
        if settings.hasPresence { configuration.heartbeatTimeout = .seconds(3_600) }
        accounts = Accounts(mode: settings.managesOne ? .oneManaged : .multi, policies: feed, levels: IdentityLevels())
        let (begin, ticks) = (machine.now, ContinuousClock.now)
        var surroundings = AccountRegistry.Surroundings()
        surroundings.executor = tasks
        surroundings.ticks = { ticks + begin.duration(to: machine.now) }
        registry = AccountRegistry.$ofTests.withValue(surroundings) { [accounts, store, clock] in
            AccountRegistry(
                accounts: accounts,
                store: store,
                service: service,
                credentials: service,
                policies: feed,
                configuration: configuration,
                clock: clock,
                wipe: { await service.wipe($0) }
            )
        }
        subscription = registry.onEvent { [announced] event in announced.withLock { $0.append(event) } }
        running = Task(executorPreference: tasks) { [registry, hasStarted] in
            do {
                try await registry.start()
                hasStarted.withLock { $0 = true }
                await registry.run()
            } catch { hasStarted.withLock { $0 = false } }
        }
        tasks.step()
    }

    /// Runs a call of the program to its first `await`, and returns the result if the call is over.
    func program<Value: Sendable>(
        _ body: @escaping @Sendable (AccountRegistry) async throws -> Value
    ) -> Result<Value, any Error>? {
        let result = Locked<Result<Value, any Error>?>(nil)
        Task(executorPreference: tasks) { [registry] in
            do {
                let value = try await body(registry)
                result.withLock { $0 = .success(value) }
            } catch { result.withLock { $0 = .failure(error) } }
        }
        tasks.step()
        return result.withLock { $0 }
    }

    /// Ends the process without notice: nothing more reaches the store or the service, and what its tasks keep is released.
    func kill() {
        store.end()
        registry.abandon()
        subscription?.cancel()
        running?.cancel()
        IdentityRevocation.unwatch(accounts.state)
        repeat {
            for gate in service.waiting.withLock({ $0 }) { gate.answer.resume(returning: .gone) }
            service.waiting.withLock { $0 = [] }
            clock.advance(by: .seconds(86_400))
            while tasks.hasWork { tasks.step() }
        } while clock.sleeperCount > 0 || service.waiting.withLock { !$0.isEmpty }
        tasks.kill()
        for name in names.others { registry.names.free(name) }
        for identity in names.here { IdentityRevocation.readmit(identity, after: .wiped) }
    }
}
