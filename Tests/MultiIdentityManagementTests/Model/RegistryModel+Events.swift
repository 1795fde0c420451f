import MultiIdentity
@_spi(Stores) import MultiIdentityManagement

// The events in the store.
extension RegistryModel {
    /// Records an event; events come in the order of their numbers.
    mutating func sees(_ event: AccountEvent, of place: Int) {
        let last = lastEvent
        expect(event.number == last + 1, "event \(event.number) comes after \(last)")
        lastEvent = event.number
        recent = recent.suffix(14) + ["\(event.number) by \(event.origin.prefix(4)): \(event)"]
        defer { before = event }
        guard accounts.indices.contains(place) else { return }
        let process = processes.first { $0.value.origin == event.origin }?.key
        let (account, follows) = (accounts[place], before.map { $0.identity == event.identity ? $0.status : .failed })
        func allow(_ holds: Bool) -> Bool {
            expect(holds, "event \(event.number) of p\(process ?? -1) is not allowed: \(event), after \(account)")
            return holds
        }
        // An answer counts only for the last request, in this life, and only in the process that made it.
        let asked = account.asked.flatMap { $0.gate.process == process && $0.life == account.life ? $0 : nil }
        if event.request == .enrolment || event.request == .policyCheck { accounts[place].ended = now }
        switch event.status {
        case .registered:
            untold.insert(event.number)
            (accounts[place].registered, accounts[place].ended) = (event.number, nil)
        case .enrolled:
            guard allow(account.stage == .registered && asked?.gate.call == .enroll && asked?.answer == .yes) else {
                return
            }
            accounts[place].stage = .enrolled
            accounts[place].policy = asked.map { ModelService.text($0.gate.number) }
            isHeard(place)
        case .policyReplaced:
            let isAnswered = asked?.answer == .yes || asked?.answer == .unchanged
            guard allow(account.stage == .enrolled && asked?.gate.call == .check && isAnswered) else { return }
            if asked?.answer == .yes { accounts[place].policy = asked.map { ModelService.text($0.gate.number) } }
            isHeard(place)
        case .policyUnchanged:
            let isSame = asked?.answer == .yes && asked.map { ModelService.text($0.gate.number) } == account.policy
            _ = allow(
                account.stage == .enrolled && asked?.gate.call == .check && (asked?.answer == .unchanged || isSame)
            )
            isHeard(place)
        case .deregistered:
            let left = process.flatMap { processes[$0]?.leaving.removeValue(forKey: place) }
            let mayLeave = process.flatMap { processes[$0]?.mayLeave.removeValue(forKey: place) } ?? 0 >= account.life
            // If a program wipes the account, each process that is notified may announce it.
            let leaves = left?.life == account.life || mayLeave || account.revoked > account.life
            guard allow(leaves && [.registered, .enrolled].contains(account.stage)) else { return }
            // A sign-out that was still to be written came first.
            accounts[place].stage = left?.wiping == true && event.text.hasPrefix("the program") ? .wiping : nil
            if accounts[place].stage == nil { accounts[place].isNamed = false }
        case .wipeBegan:
            let isProgram = process.map { processes[$0]?.wipes.contains(place) } == true
            _ = allow(account.stage == .wiping && follows == .deregistered || isProgram)
            if let process, isProgram { revokes(place, in: process) }
            accounts[place].revoked = event.number
        case .aliasAdded:
            _ = allow(process.map { processes[$0]?.naming } == place)
            accounts[place].isNamed = true
        case .serviceUnreachable:
            _ = allow(isSilent(account, limits.warn, after: .heard))
            accounts[place].silence = .warned
        case .blocked:
            _ = allow(isSilent(account, limits.block, after: .warned))
            (accounts[place].silence, accounts[place].failed) = (.blocked, 0)
        case .removed where event.text.hasPrefix("the service has not confirmed"):
            guard allow(isSilent(account, limits.wipe, after: .blocked) && account.failed > 1) else { return }
            (accounts[place].stage, accounts[place].revoked) = (.wiping, event.number)
            if let process { revokes(place, in: process) }
        case .removed:
            let removal = removals.removeValue(forKey: event.text)
            let isHis = removal?.process == process && removal?.account == place
            // If it is unknown whether the earlier process wiped it, the stage is unknown.
            let stage = account.isEither ? nil : account.stage
            guard allow(isHis && stage != .wiping) else { return }
            // A departure that is still to be written does not wipe an account that is back.
            if let process { processes[process]?.leaving[place] = nil }
            // If it has left again since, nothing remains of it.
            let isThere = stage != nil || account.registered > account.life
            let life = max(account.life, account.registered)
            let isBack = isThere && removal?.owed.map { $0 < life } ?? false
            // A process that was not notified of a registration does not know whether the account is back.
            let isHeard = life <= removal?.announced ?? 0
            accounts[place].isEither = isThere && removal?.owed != nil && isBack == isHeard
            let isWiped = !isBack || accounts[place].isEither
            accounts[place].stage = removal?.wiping == true && isWiped ? .wiping : nil
            accounts[place].revoked = event.number
            accounts[place].isAtService = false
            // This removal was still to be written, and the account was readmitted meanwhile.
            if let process, event.text.hasPrefix("gate") || removal?.owed != nil { revokes(place, in: process) }
        case .wiped:
            guard allow(account.stage == .wiping) else { return }
            accounts[place].stage = nil
        case .wipeIncomplete: _ = allow(account.stage == .wiping)
        case .restartRequested: _ = allow(follows == .enrolled)
        default:
            if event.request == .policyCheck { accounts[place].failed += 1 }
            // A failed request; the service was not notified that the account has left.
            if event.text.hasPrefix("the service was not") { accounts[place].isAtService = false }
        }
    }

    private mutating func revokes(_ place: Int, in process: Int) {
        if processes[process]?.revoked[place] != nil { processes[process]?.revoked[place] = true }
    }

    private mutating func isHeard(_ place: Int) {
        (accounts[place].heard, accounts[place].silence) = (now, .heard)
    }

    private func isSilent(_ account: Account, _ limit: Duration?, after step: AccountRecord.Silence) -> Bool {
        guard account.stage == .enrolled, account.silence == step, let limit else { return false }
        return account.heard.duration(to: now) >= limit
    }
}
