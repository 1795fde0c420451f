import MultiIdentity

@_spi(Stores) @testable import MultiIdentityManagement
@testable import MultiIdentityPolicy

/// Processes on one store that do only what the fuzzer's calls say, and a model that decides which results are valid.
final class ModelWorld {
    let settings: ModelSettings
    let machine = SteppedClock()
    let store: SQLiteAccountStore
    var processes: [ModelProcess?]
    private var number = 0
    private let serviceCalls = Locked(0)
    var gates: [ModelGate] = []
    var model: RegistryModel
    private(set) var log: [String] = []
    let names: ModelNames

    init(_ settings: ModelSettings) throws {
        self.settings = settings
        names = try ModelNames(-1, count: settings.accounts)
        store = SQLiteAccountStore(clock: machine)
        processes = Array(repeating: nil, count: settings.processes)
        model = RegistryModel(settings)
    }

    /// Makes the calls and then lets all processes come to rest; returns the first contradiction to the model.
    func run(_ calls: [ModelCall]) throws -> String? {
        defer { for place in processes.indices { kill(place) } }
        for place in processes.indices { try start(place) }
        for (index, call) in calls.enumerated() {
            var dice = Dice(call.roll)
            log.append("\(index): \(call)")
            try make(call, &dice)
            if let difference = model.differences.first {
                return "call \(index), \(call): \(difference)\n\(model.describe())"
            }
        }
        try comeToRest()
        return model.differences.first.map { "at rest: \($0)\n\(model.describe())" }
    }

    // MARK: Processes

    func start(_ place: Int) throws {
        number += 1
        let revoked = model.accounts.map { $0.stage == .wiping }
        let process = try ModelProcess(number, on: store, machine: machine, calls: serviceCalls, settings)
        processes[place] = process
        var known = RegistryModel.Process(
            revoked: revoked,
            announced: model.lastEvent,
            origin: process.registry.state.origin
        )
        // Accounts that left before its start are unknown to it, as if never seen.
        for place in model.accounts.indices { known.admitted[place] = model.lastEvent }
        model.processes[number] = known
        try look(process)
    }

    func kill(_ place: Int) {
        guard let process = processes[place] else { return }
        processes[place] = nil
        process.store.end()
        for gate in gates where gate.process == process.number { gate.answer.resume(returning: .gone) }
        gates.removeAll { $0.process == process.number }
        process.kill()
        model.processes[process.number] = nil
    }

    func step(_ process: ModelProcess, _ dice: inout Dice) throws {
        let isFailing = process.store.isFailing
        process.tasks.step(&dice)
        if isFailing { isUnsure(process) }
        try look(process)
    }

    /// A removal that the service requests, or that its long silence causes, is in force here even if the store does not accept it.
    private func isUnsure(_ process: ModelProcess) {
        for (place, account) in model.accounts.enumerated() {
            guard account.asked?.answer == .removed || account.silence == .blocked else { continue }
            if account.asked?.gate.process == process.number { model.processes[process.number]?.revoked[place] = nil }
        }
    }

    /// Records everything that a process did in its last step.
    func look(_ process: ModelProcess) throws {
        let (last, names) = (model.lastEvent, names)
        let (events, rows) = try store.reading { (transaction) throws(ManagementError) in
            (try transaction.events(after: last, limit: 1_000), try transaction.accounts(nil))
        }
        model.now = machine.now
        for event in events { model.sees(event, of: names.place(of: event.identity)) }
        let placed = Dictionary(uniqueKeysWithValues: rows.map { (names.place(of: $0.identity), $0) })
        model.compares(placed, in: process.number)
        for gate in process.service.waiting.withLock({ gates in
            defer { gates = [] }
            return gates
        }) {
            model.expect(model.accounts.indices.contains(gate.account), "the service is asked for another name")
            if !model.differences.isEmpty { return gate.answer.resume(returning: .gone) }
            model.asks(gate)
            gates.append(gate)
        }
        let announced = process.announced.withLock { events in
            defer { events = [] }
            return events
        }
        for event in announced {
            model.announces(event, of: process.names.place(of: event.identity), in: process.number)
        }
        if process.store.hasCrashed || process.hasStarted.withLock({ $0 }) == false {
            processes.firstIndex { $0 === process }.map { kill($0) }
        }
    }

    func settle(answering: Bool, _ dice: inout Dice) throws {
        while true {
            let ready = processes.compactMap { $0 }.filter { $0.tasks.hasWork && !$0.isSuspended }
            if !ready.isEmpty {
                try step(ready[dice.below(ready.count)], &dice)
            } else if answering, let gate = gates.first {
                try answer(gate, gate.call == .check ? .unchanged : .yes)
            } else {
                return
            }
        }
    }

    func answer(_ gate: ModelGate, _ answer: ModelAnswer) throws {
        gates.removeAll { $0.number == gate.number }
        model.answers(gate, answer)
        gate.answer.resume(returning: answer)
    }

    func advance(_ duration: Duration) {
        machine.advance(by: duration)
        for case let process? in processes { process.clock.set(to: machine.now.advanced(by: process.ahead)) }
    }
}
