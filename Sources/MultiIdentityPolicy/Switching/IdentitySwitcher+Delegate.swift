import Dispatch
public import MultiIdentity

extension IdentitySwitcher {
    /// Asks the delegate whether the program can switch, and switches if it agrees.
    ///
    /// The delegate runs on its own thread, never on the caller's, so neither can block the other. Once it agrees, the
    /// switch is made as by ``switchUI(to:)``, with every refusal and launch check. If the delegate has already
    /// switched, no check runs twice.
    ///
    /// - Parameters:
    ///   - identity: The identity to switch to; `Identity.nobody` for a switch to unmanaged.
    ///   - reason: The reason for the switch.
    /// - Returns: The outcome, as of ``switchUI(to:)``; success only once the UI level is set to the identity. It is
    ///   also a failure if the delegate answers with one, if there is no delegate, or if it does not answer within
    ///   ``SwitchDeadlines/delegate``.
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
            levels.notifyOfSwitching(
                identity,
                "a switch is required (\(reason)), but \(PolicyError.noDelegate.message)."
            )
            return .failed(.noDelegate)
        }
        // Checked here, before the first suspension, and before the delegate hides anything for a refused switch.
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

    /// Calls the delegate without the thread level, which would conflict with the switch that the delegate may request.
    private func call(
        _ delegate: any SwitchDelegate,
        for identity: Identity?,
        reason: SwitchReason,
        _ answer: Promise<SwitchResult>
    ) {
        let running = RunningSwitch.current
        // Only the delegate holds the request: once it is released, no answer can come.
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
