import MultiIdentity

@_spi(Stores) @testable import MultiIdentityManagement
@testable import MultiIdentityPolicy

extension ModelWorld {
    func make(_ call: ModelCall, _ dice: inout Dice) throws {
        switch call.kind {
        case .quiet:
            try settle(answering: dice.below(3) == 0, &dice)
            for case let process? in processes where model.hasHeardAll(process.number) {
                expectLimits(in: process, upTo: model.processes[process.number]?.announced ?? 0)
            }
            return
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
        default: if !process.isSuspended { try make(call, in: process, byOtherName: dice.below(3) == 0) }
        }
    }

    private func make(_ call: ModelCall, in process: ModelProcess, byOtherName: Bool) throws {
        if call.kind == .signIn {
            try readmit(call.account, in: process)
            try look(process)
        }
        let (place, here, id) = (call.account, process.names.here[call.account], process.number)
        let (account, isFailing) = (model.accounts[place], process.store.isFailing)
        let (isRevoked, other) = (model.processes[id]?.revoked[place], process.names.other(place))
        let isThere = account.stage == .registered || account.stage == .enrolled
        // If the store fails, or a departure is still to be written, the name may be free when the call is written.
        let isOwed = model.processes[id]?.leaving[place] != nil || model.processes[id]?.mayLeave[place] != nil
        let knowsName = account.isNamed && !isFailing && !isOwed
        let name = byOtherName && knowsName ? other : here
        func expect<Value>(_ code: ManagementError.Code?, _ result: Result<Value, any Error>?) {
            var got: ManagementError.Code?
            if case .failure(let error)? = result { got = (error as? ManagementError)?.code }
            // A failing store may fail the call, and the process may have ended in it.
            if isFailing || process.store.hasCrashed || isRevoked == nil { return }
            model.expect(
                got == code,
                "it ended with \(got.map { "\($0)" } ?? "success"), not \(code.map { "\($0)" } ?? "success")"
            )
        }
        switch call.kind {
        case .signIn, .register:
            model.processes[id]?.registering = place
            let mayNot = model.processes[id]?.revoked[place] == true || account.stage == .wiping
            let result = process.program { try $0.register(name) }
            // A removal that is still to be written comes first.
            if model.processes[id]?.leaving[place] == nil { expect(mayNot ? .revoked : nil, result) }
            try look(process)
            model.processes[id]?.registering = nil
            // It is requested at once, whatever the result of the earlier request.
            model.accounts[place].ended = nil
            return
        case .deregister, .deregisterWiping:
            // If it was never enrolled, its data remains.
            let asksToWipe = call.kind == .deregisterWiping
            let wiping = asksToWipe && account.stage == .enrolled
            let leaving = model.processes[id]?.leaving[place]
            if isThere { model.processes[id]?.leaving[place] = (account.life, wiping) }
            let result = process.program { try await $0.deregister(name, wiping: asksToWipe) }
            if isThere, case .failure? = result, !process.store.hasCrashed {
                model.processes[id]?.leaving[place] = leaving
            }
            if leaving == nil { expect(isThere || account.isLeaving && !asksToWipe ? nil : .notRegistered, result) }
            if isThere, wiping {
                if case .failure? = result {} else { model.processes[id]?.revoked[place] = true }
            }
        case .remove, .removeWiping:
            let (text, wiping) = ("call \(log.count)", call.kind == .removeWiping)
            let followed = process.registry.state.lastRegistered
            model.removals[text] = RegistryModel.Removal(process: id, account: place, wiping: wiping)
            model.processes[id]?.revoked[place] = true
            let result = process.program { try $0.remove(name, because: text, wiping: wiping) }
            if case .failure? = result {
                model.processes[id]?.leaving[place] = (account.life, wiping)
                model.removals[text]?.owed = account.life
                model.removals[text]?.announced = followed
            }
            expect(nil, result)
        case .signOut:
            IdentityRevocation.revoke(here, for: .signedOut)
            departs(place, in: process, isFailing)
            model.processes[id]?.revoked[place] = true
        case .wipe:
            guard let isRevoked else { return }
            model.processes[id]?.wipes.insert(place)
            if !isRevoked { model.processes[id]?.wiping.insert(place) }
            model.processes[id]?.revoked[place] = true
            IdentityRevocation.revoke(here, for: .wiped)
            try look(process)
            let isEvent = model.accounts[place].revoked > account.revoked
            let mayFail = isFailing || process.store.hasCrashed
            model.expect(isEvent || isRevoked || !isThere || mayFail, "its wipe is no event")
            if byOtherName { endWipe(place, in: process) }
        case .addName:
            model.processes[id]?.naming = place
            let result = process.program { try $0.addAlias(other, of: here) }
            // A departure that is still to be written comes first.
            if model.processes[id]?.leaving[place] == nil { expect(isThere ? nil : .notRegistered, result) }
            try look(process)
            model.processes[id]?.naming = nil
            return
        case .readmit: try readmit(place, in: process)
        case .admit:
            let result = Result { try process.registry.admit(here) }
            if isRevoked == true { expect(.revoked, result) }
            guard process.hasStarted.withLock({ $0 }) == true, model.hasHeardAll(id) else { return }
            if account.stage == .enrolled, account.silence == .blocked {
                if isRevoked == false, !settings.hasPresence { expect(.offlineTooLong, result) }
                model.expect(!process.accounts.decide(.sendOut, for: here).isAllowed, "it is blocked, and allowed")
            }
            if account.isNamed {
                model.expect(!process.accounts.decide(.log, for: other).isAllowed, "its other name is allowed")
            }
        case .settled:
            let result = process.program { try await $0.waitUntilSettled(timeout: .zero) }
            if case .success(true)? = result { refusesWhoIsSettled(by: process) }
        default: break
        }
        try look(process)
    }

    /// Records that an account is signed out in a process.
    private func departs(_ place: Int, in process: ModelProcess, _ isFailing: Bool) {
        let (account, followed) = (model.accounts[place], process.registry.state.lastRegistered)
        guard var known = model.processes[process.number] else { return }
        if account.stage == nil { known.mayLeave[place] = followed }
        // This does not sign out an account that left earlier and is already revoked here.
        if known.revoked[place] != true, account.stage == .registered || account.stage == .enrolled {
            // This sign-out is still to be written. If the registration is unknown here, it may have come later.
            let isUnheard = isFailing && account.life > followed
            if isUnheard || known.revoked[place] == nil {
                known.mayLeave[place] = account.life
            } else {
                known.leaving[place] = (account.life, false)
            }
        }
        model.processes[process.number] = known
    }

    /// Completes the program's own wipe of an account, if one is in progress.
    func endWipe(_ place: Int, in process: ModelProcess) {
        let (isFailing, isUnderWay) = (
            process.store.isFailing, model.processes[process.number]?.wiping.remove(place) != nil
        )
        IdentityRevocation.wipeIsComplete(of: process.names.here[place])
        guard isUnderWay else { return }
        model.processes[process.number]?.revoked[place] = false
        departs(place, in: process, isFailing)
        model.processes[process.number]?.revoked[place] = true
    }

    private func readmit(_ place: Int, in process: ModelProcess) throws {
        endWipe(place, in: process)
        try look(process)
        IdentityRevocation.readmit(process.names.here[place], after: .wiped)
        let last = model.lastEvent
        if model.processes[process.number]?.revoked[place] != false {
            model.processes[process.number]?.readmitted.insert(place)
        }
        // If a removal is still to be written and the account is being wiped, the removal revokes it again and is no event.
        let isOwed = model.removals.values.contains {
            $0.process == process.number && $0.account == place && $0.owed != nil
        }
        let isUnsure = isOwed && model.accounts[place].stage == .wiping
        model.processes[process.number]?.revoked[place] = isUnsure ? Bool?.none : false
        model.processes[process.number]?.admitted[place] = last
    }

    /// Expects that no process admits an account that left before the last removal known to a process, even if none has continued.
    private func refusesWhoIsSettled(by process: ModelProcess) {
        guard settings.hasPresence else { return }
        let last = process.registry.state.removals.last
        for case let other? in processes {
            for (place, account) in model.accounts.enumerated() where account.revoked > 0 && account.revoked <= last {
                // It has signed in again since.
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
}
