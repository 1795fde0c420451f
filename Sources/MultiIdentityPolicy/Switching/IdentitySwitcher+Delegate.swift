import Dispatch
public import MultiIdentity

extension IdentitySwitcher {
    /// Asks the program whether it can switch, and switches: its delegate puts away what it shows, and answers.
    ///
    /// The delegate runs on a thread of its own and never on the caller's, so that neither can hold the other up. Once it
    /// agrees, the switch is made here as by ``switchUI(to:)``, with every refusal and launch check, unless the delegate
    /// has switched by itself meanwhile: then the identity is there already, and no check runs twice.
    ///
    /// - Parameters:
    ///   - identity: Whom to switch to; `Identity.nobody` for a switch to unmanaged.
    ///   - reason: Why the switch is needed.
    /// - Returns: As of ``switchUI(to:)``, and success only once the level holds the identity. A failure, too, where the
    ///   delegate answers that, where there is none, or it does not answer within ``SwitchDeadlines/delegate``.
    public nonisolated(nonsending) func requireSwitch(
        to identity: Identity?,
        reason: SwitchReason
    ) async -> SwitchResult {
        await recorded(identity, "the runtime asked for it: \(reason)") {
            await switchThroughDelegate(to: identity, reason: reason)
        }
    }

    private nonisolated(nonsending) func switchThroughDelegate(
        to identity: Identity?,
        reason: SwitchReason
    ) async -> SwitchResult {
        if Task.isCancelled { return .cancelled }
        guard let delegate else {
            levels.tellOfSwitching(identity, "a switch is required (\(reason)), but \(PolicyError.noDelegate.message).")
            return .failed(.noDelegate)
        }
        // Asked here, before the first suspension, and before anything is put away for a switch that must not be.
        if let bound = levels.identityAtOdds(withSwitchTo: identity) { return .notAllowed(.boundToAnother(bound)) }
        if let identity, !identity.isNobody, let refusal = refusal(of: identity) { return .notAllowed(refusal) }
        let request = levels.uiMark
        let answer = await answer(of: delegate, to: identity, reason: reason)
        guard answer == .success else { return answer }
        if RunningSwitch.isInside(self) { return .notAllowed(.insideLaunchCheck) }
        return await takeTurn(at: turns.line(), to: identity, since: request)
    }

    private nonisolated(nonsending) func answer(
        of delegate: any SwitchDelegate,
        to identity: Identity?,
        reason: SwitchReason
    ) async -> SwitchResult {
        let limit = deadlines.delegate
        guard limit > .zero else { return .failed(.delegateTookTooLong(limit: limit)) }
        let answer = Promise<SwitchResult>()
        let alarm = clock.alarm(after: limit) { answer.give(.failed(.delegateTookTooLong(limit: limit))) }
        call(delegate, for: identity, reason: reason, answer)
        let result = await answer.wait(orOnCancellation: .cancelled)
        alarm.cancel()
        return result
    }

    /// Calls the delegate without the thread level, which would be at odds with the switch that it is about to ask for.
    private func call(
        _ delegate: any SwitchDelegate,
        for identity: Identity?,
        reason: SwitchReason,
        _ answer: Promise<SwitchResult>
    ) {
        let running = RunningSwitch.current
        // The request belongs to the delegate alone: once nobody has it any more, nobody can answer.
        withIdentity(nil) {
            DispatchQueue.global().propagatingIdentity.async { [levels] in
                RunningSwitch.$current.withValue(running) {
                    delegate.switchIsRequired(
                        SwitchRequest(identity, reason: reason, answer: answer, levels: levels)
                    )
                }
            }
        }
    }
}
