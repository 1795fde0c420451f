import Dispatch
public import MultiIdentity

extension IdentitySwitcher {
    /// Asks the program to switch: its delegate puts away what it shows, switches, and answers.
    ///
    /// The delegate runs on a thread of its own and never on the caller's, so that neither can hold the other up. Its
    /// answer is taken at its word.
    ///
    /// - Parameters:
    ///   - identity: Whom to switch to; `Identity.nobody` for a switch to unmanaged.
    ///   - reason: What the switch is needed for, for people.
    /// - Returns: What the delegate answered: success or failure. A failure, too, where there is no delegate, or it does not
    ///   answer within ``SwitchDeadlines/delegate``; cancelled where this task was.
    public nonisolated(nonsending) func requireSwitch(
        to identity: Identity?,
        reason: String
    ) async -> SwitchResult {
        if Task.isCancelled { return .cancelled }
        guard let delegate else {
            levels.tellOfSwitching(identity, "a switch is required (\(reason)), but \(SwitchFailure.noDelegate).")
            return .failed(.noDelegate)
        }
        let limit = deadlines.delegate
        guard limit > .zero else { return .failed(.delegateTookTooLong(limit: limit)) }
        let answer = OneAnswer<SwitchResult>()
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
        reason: String,
        _ answer: OneAnswer<SwitchResult>
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
