import MultiIdentity

@_spi(Stores) @testable import MultiIdentityManagement
@testable import MultiIdentityPolicy

extension ModelWorld {
    func comeToRest() throws {
        var dice = Dice(settings.seed)
        for place in processes.indices {
            if processes[place] == nil { try start(place) }
            guard let process = processes[place] else { continue }
            (process.isSuspended, process.ahead) = (false, .zero)
            process.store.fail(0)
            for account in model.accounts.indices { endWipe(account, in: process) }
            try look(process)
        }
        // Five days, in steps short enough to see an early request.
        for _ in 0..<72 {
            try settle(answering: true, &dice)
            if !model.differences.isEmpty { return }
            advance(.seconds(6_000))
            for place in processes.indices where processes[place] == nil { try start(place) }
        }
        try settle(answering: true, &dice)
        // Each process checks the store once more.
        advance(.seconds(601))
        try settle(answering: false, &dice)
        for case let process? in processes { compare(process) }
        let isOneEnrolled = model.accounts.contains { $0.stage == .enrolled }
        for (place, account) in model.accounts.enumerated() {
            model.expect(account.stage != .wiping, "account \(place) is not wiped")
            let isRevoked = model.processes.values.contains { $0.revoked[place] != false }
            model.expect(
                account.stage != .registered || settings.managesOne && isOneEnrolled || isRevoked,
                "account \(place) is not enrolled"
            )
            // Every eight hours and a twentieth, as soon as a step is over and all processes have checked again.
            let silence = account.heard.duration(to: machine.now)
            let isChecked = account.stage != .enrolled || silence < .seconds(11 * 3_600)
            model.expect(isChecked, "account \(place) was not checked for \(silence)")
            let isOthers = account.isAtService && account.stage != .enrolled
            model.expect(!isOthers, "account \(place) is enrolled at the service alone")
        }
    }

    /// Expects that a process treats no account registered up to an event as never seen.
    func expectLimits(in process: ModelProcess, upTo last: Int64 = .max) {
        for (place, account) in model.accounts.enumerated() where account.stage != nil && account.registered <= last {
            let decision = process.accounts.decide(.sendOut, for: process.names.here[place])
            let who = "p\(process.number), account \(place)"
            model.expect(decision.rule != .unlimited, "\(who): has no limits, and \(account)")
        }
    }

    private func compare(_ process: ModelProcess) {
        guard let known = model.processes[process.number] else { return }
        let last = model.lastEvent
        model.expect(
            model.next(after: known.announced) == last + 1,
            "p\(process.number) announced \(known.announced) of \(last)"
        )
        expectLimits(in: process)
        for (place, account) in model.accounts.enumerated() {
            let (here, who) = (process.names.here[place], "p\(process.number), account \(place)")
            guard let isRevoked = known.revoked[place] else { continue }
            let named = process.registry.identity(named: process.names.other(place))
            // In a process that has the account revoked, its names remain refused.
            model.expect((named == here) == account.isNamed || isRevoked, "\(who): the other name is \(named)")
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
        }
    }
}
