import MultiIdentity

@testable import MultiIdentityManagement
@testable import MultiIdentityPolicy

/// Processes on one store, which do only what the fuzzer's calls have them do, and a model that says what may come of it.
final class ModelWorld {
    let settings: ModelSettings
    private let machine = SteppedClock()
    private let store: SQLiteAccountStore
    private var processes: [ModelProcess?]
    private var number = 0
    private var gates: [ModelGate] = []
    private var model: RegistryModel
    private(set) var log: [String] = []
    private let names: ModelNames

    init(_ settings: ModelSettings) throws {
        self.settings = settings
        names = try ModelNames(-1, count: settings.accounts)
        store = SQLiteAccountStore(clock: machine)
        processes = Array(repeating: nil, count: settings.processes)
        model = RegistryModel(settings)
    }

    /// Makes the calls and then lets all come to rest; returns the first thing that is against the model.
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

    private func start(_ place: Int) throws {
        number += 1
        let revoked = model.accounts.map { $0.stage == .wiping }
        let process = try ModelProcess(number, on: store, machine: machine, settings)
        processes[place] = process
        var known = RegistryModel.Process(
            revoked: revoked,
            announced: model.lastEvent,
            origin: process.registry.state.origin
        )
        // Who left before its start it does not know, as nobody it has ever seen.
        for place in model.accounts.indices { known.admitted[place] = model.lastEvent }
        model.processes[number] = known
        try look(process)
    }

    private func kill(_ place: Int) {
        guard let process = processes[place] else { return }
        processes[place] = nil
        process.store.end()
        for gate in gates where gate.process == process.number { gate.answer.resume(returning: .gone) }
        gates.removeAll { $0.process == process.number }
        process.kill()
        model.processes[process.number] = nil
    }

    private func step(_ process: ModelProcess, _ dice: inout Dice) throws {
        let isFailing = process.store.isFailing
        process.tasks.step(&dice)
        if isFailing { isUnsure(process) }
        try look(process)
    }

    /// A removal that the service answers with is in force here even where the store does not take it.
    private func isUnsure(_ process: ModelProcess) {
        for (place, account) in model.accounts.enumerated() where account.asked?.answer == .removed {
            if account.asked?.gate.process == process.number { model.processes[process.number]?.revoked[place] = nil }
        }
    }

    /// Takes note of all that a process did in its last step.
    private func look(_ process: ModelProcess) throws {
        let (last, names) = (model.lastEvent, names)
        let (events, rows) = try store.reading { (transaction) throws(AccountStoreError) in
            (try transaction.events(after: last, limit: 1_000), try transaction.accounts(nil))
        }
        for event in events { model.sees(event, of: names.place(of: event.identity)) }
        let placed = Dictionary(uniqueKeysWithValues: rows.map { (names.place(of: $0.identity), $0) })
        model.compares(placed, in: process.number)
        for gate in process.service.waiting.withLock({ gates in
            defer { gates = [] }
            return gates
        }) {
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

    private func settle(answering: Bool, _ dice: inout Dice) throws {
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

    private func answer(_ gate: ModelGate, _ answer: ModelAnswer) throws {
        gates.removeAll { $0.number == gate.number }
        model.answers(gate, answer)
        gate.answer.resume(returning: answer)
    }

    private func advance(_ duration: Duration) {
        machine.advance(by: duration)
        for case let process? in processes { process.clock.set(to: machine.now.advanced(by: process.ahead)) }
    }

    // MARK: Calls

    private func make(_ call: ModelCall, _ dice: inout Dice) throws {
        switch call.kind {
        case .quiet: return try settle(answering: dice.below(3) == 0, &dice)
        case .advance:
            let scale = [1, 1_000, 130_000, 700_000, 4_000_000, 30_000_000, 90_000_000, 2_000_000_000][dice.below(8)]
            return advance(.milliseconds(1 + dice.below(scale)))
        case .answer:
            guard !gates.isEmpty else { return }
            let gate = gates[dice.below(gates.count)]
            let others: [ModelAnswer] =
                gate.call == .check
                ? [.unchanged, .unchanged, .yes, .removed, .no, .malformed]
                : gate.call == .enroll ? [.yes, .yes, .yes, .no, .malformed] : [.yes, .yes, .yes, .no]
            return try answer(gate, others[dice.below(others.count)])
        case .start:
            if processes[call.process] == nil { try start(call.process) }
            return
        default: break
        }
        guard let process = processes[call.process] else { return }
        switch call.kind {
        case .step: for _ in 0..<(1 + dice.below(4)) where !process.tasks.isDead { try step(process, &dice) }
        case .setClock:
            process.ahead = .seconds(dice.below(20 * 86_400) - 10 * 86_400)
            advance(.zero)
        case .suspend: process.isSuspended.toggle()
        case .lock: process.store.fail(1 + dice.below(5))
        case .kill: kill(call.process)
        case .crash: process.store.crash(dice.below(2) == 0 ? .beforeCommit : .afterCommit, after: dice.below(4))
        default: if !process.isSuspended { try make(call, in: process) }
        }
    }

    private func make(_ call: ModelCall, in process: ModelProcess) throws {
        let (place, here, id) = (call.account, process.names.here[call.account], process.number)
        let (account, isFailing) = (model.accounts[place], process.store.isFailing)
        let isRevoked = model.processes[id]?.revoked[place]
        func expect<Value>(_ code: AccountRegistryError.Code?, _ result: Result<Value, any Error>?) {
            var got: AccountRegistryError.Code?
            if case .failure(let error)? = result { got = (error as? AccountRegistryError)?.code }
            // A store that fails may fail it, and the process may have ended in it.
            if isFailing || process.store.hasCrashed || isRevoked == nil { return }
            model.expect(
                got == code,
                "it ended with \(got.map { "\($0)" } ?? "success"), not \(code.map { "\($0)" } ?? "success")"
            )
        }
        switch call.kind {
        case .signIn, .register:
            if call.kind == .signIn { readmit(place, in: process) }
            model.processes[id]?.registering = [place]
            let mayNot = model.processes[id]?.revoked[place] == true || account.stage == .wiping
            let result = process.program { try $0.register(here) }
            // A removal that is owed is written first.
            if model.processes[id]?.leaving[place] == nil { expect(mayNot ? .revoked : nil, result) }
            try look(process)
            model.processes[id]?.registering = []
            return
        case .deregister, .deregisterWiping:
            // Of one that was never enrolled, the data stay.
            let asksToWipe = call.kind == .deregisterWiping
            let wiping = asksToWipe && account.stage == .enrolled
            let isThere = account.stage == .registered || account.stage == .enrolled
            let leaving = model.processes[id]?.leaving[place]
            if isThere { model.processes[id]?.leaving[place] = (account.life, wiping) }
            let result = process.program { try await $0.deregister(here, wiping: asksToWipe) }
            if isThere, case .failure? = result, !process.store.hasCrashed {
                model.processes[id]?.leaving[place] = leaving
            }
            if leaving == nil { expect(isThere || account.isLeaving && !asksToWipe ? nil : .notRegistered, result) }
            if isThere, wiping {
                if case .failure? = result {} else { model.processes[id]?.revoked[place] = true }
            }
        case .remove, .removeWiping:
            let (text, wiping) = ("call \(log.count)", call.kind == .removeWiping)
            model.removals[text] = RegistryModel.Removal(process: id, account: place, wiping: wiping)
            model.processes[id]?.revoked[place] = true
            let result = process.program { try $0.remove(here, because: text, wiping: wiping) }
            if case .failure? = result {
                model.processes[id]?.leaving[place] = (account.life, wiping)
                model.removals[text]?.owed = account.life
                model.removals[text]?.announced = process.registry.state.removals.followed
            }
            expect(nil, result)
        case .signOut:
            // Who is revoked here already, as one who had left, is not signed out by it.
            if isRevoked == false, account.stage == .registered || account.stage == .enrolled {
                model.processes[id]?.leaving[place] = (account.life, false)
            }
            if account.stage == nil {
                model.processes[id]?.mayLeave[place] = process.registry.state.removals.followed + 1
            }
            model.processes[id]?.revoked[place] = true
            IdentityRevocation.revoke(here, for: .signedOut)
        case .readmit: readmit(place, in: process)
        case .admit:
            let result = Result { try process.registry.admit(here) }
            if isRevoked == true { expect(.revoked, result) }
        case .settled:
            let result = process.program { try await $0.settled(within: .zero) }
            if case .success(true)? = result { refusesWhoIsSettled(by: process) }
        default: break
        }
        try look(process)
    }

    private func readmit(_ place: Int, in process: ModelProcess) {
        IdentityRevocation.readmit(process.names.here[place])
        let last = model.lastEvent
        if model.processes[process.number]?.revoked[place] != false {
            model.processes[process.number]?.readmitted.insert(place)
        }
        model.processes[process.number]?.revoked[place] = false
        model.processes[process.number]?.admitted[place] = last
    }

    /// Expects that who left before the last removal that a process knows of is admitted in no process, though none has gone on.
    private func refusesWhoIsSettled(by process: ModelProcess) {
        guard settings.hasPresence else { return }
        let last = process.registry.state.removals.last
        for case let other? in processes {
            for (place, account) in model.accounts.enumerated() where account.revoked > 0 && account.revoked <= last {
                // Signed in again since.
                if account.life > account.revoked { continue }
                if model.processes[other.number]?.admitted[place] ?? 0 >= account.revoked { continue }
                let isAdmitted = (try? other.registry.admit(other.names.here[place])) != nil
                model.expect(
                    !isAdmitted,
                    "p\(process.number) has settled, and p\(other.number) admits account \(place)"
                )
            }
        }
    }

    // MARK: At rest

    private func comeToRest() throws {
        var dice = Dice(settings.seed)
        for place in processes.indices {
            if processes[place] == nil { try start(place) }
            processes[place]?.isSuspended = false
            processes[place]?.store.fail(0)
            processes[place]?.ahead = .zero
        }
        for _ in 0..<10 {
            try settle(answering: true, &dice)
            if !model.differences.isEmpty { return }
            advance(.seconds(43_200))
            for place in processes.indices where processes[place] == nil { try start(place) }
        }
        try settle(answering: true, &dice)
        // Each looks at the store once more.
        advance(.seconds(601))
        try settle(answering: false, &dice)
        for case let process? in processes { compare(process) }
        for (place, account) in model.accounts.enumerated() {
            model.expect(account.stage != .wiping, "account \(place) is not wiped")
            let isRevoked = model.processes.values.contains { $0.revoked[place] != false }
            model.expect(
                account.stage != .registered || settings.managesOne || isRevoked,
                "account \(place) is not enrolled"
            )
            let isWrong = account.isAtService && account.stage != .enrolled
            model.expect(!isWrong || settings.managesOne, "account \(place) is enrolled at the service alone")
        }
    }

    private func compare(_ process: ModelProcess) {
        guard let known = model.processes[process.number] else { return }
        let last = model.lastEvent
        model.expect(
            model.next(after: known.announced) == last + 1,
            "p\(process.number) announced \(known.announced) of \(last)"
        )
        for (place, account) in model.accounts.enumerated() {
            let (here, who) = (process.names.here[place], "p\(process.number), account \(place)")
            guard let isRevoked = known.revoked[place] else { continue }
            model.expect(IdentityRevocation.isRevoked(here) == isRevoked, "\(who): revoked is not \(isRevoked)")
            if let left = known.leaving[place], left.life == account.life {
                model.expect(account.stage == nil, "\(who): left, and is \(account)")
            }
            if isRevoked || known.readmitted.contains(place) { continue }
            let policy = process.accounts.enrolledIdentities.contains(here) ? process.accounts.policy(of: here) : nil
            let right = account.policy.flatMap { try? PolicySet(json: $0.utf8).policy(of: here) }
            model.expect(
                policy == (account.stage == .enrolled ? right : nil),
                "\(who): the policy is \(policy.map { "\($0)" } ?? "none"), not \(account)"
            )
            if account.stage == .enrolled { model.expect(process.accounts.isManaged(here), "\(who): is unmanaged") }
        }
    }
}
