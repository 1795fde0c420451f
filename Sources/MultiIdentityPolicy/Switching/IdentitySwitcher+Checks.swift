import MultiIdentity

extension IdentitySwitcher {
    /// The outcome of one check.
    private enum Outcome: Sendable {
        case verdict(LaunchCheck.Verdict)
        case late
        case cancelled
    }

    /// Runs the launch checks in order.
    ///
    /// - Returns: The outcome of the switch if a check does not pass; `nil` if all pass.
    func failingCheck(of identity: Identity) async -> SwitchResult? {
        let elapsed = clock.stopwatch()
        for check in registeredChecks {
            if Task.isCancelled { return .cancelled }
            let left = deadlines.allChecks - elapsed()
            let tooLong: PolicyError =
                if left <= deadlines.check {
                    .checksTookTooLong(name: check.name, limit: deadlines.allChecks)
                } else {
                    .checkTookTooLong(name: check.name, limit: deadlines.check)
                }
            let limit = min(left, deadlines.check)
            guard limit > .zero else { return .failed(tooLong) }
            switch await outcome(of: check, for: identity, within: limit) {
            case .verdict(.passed): continue
            case .verdict(.cancelled), .cancelled: return .cancelled
            case .verdict(.failed(let reason)): return .failed(.check(name: check.name, reason: reason))
            case .late: return .failed(tooLong)
            }
        }
        return nil
    }

    /// Runs one check in its own task, which is abandoned if it neither answers in time nor reacts to cancellation.
    private func outcome(of check: LaunchCheck, for identity: Identity, within limit: Duration) async -> Outcome {
        let answer = Promise<Outcome>()
        let running = RunningSwitch(of: self)
        let alarm = clock.alarm(after: limit) { answer.give(.late) }
        let work = RunningSwitch.$current.withValue(running) {
            Task { answer.give(.verdict(await Self.verdict(of: check, for: identity))) }
        }
        let outcome = await answer.wait(orOnCancellation: .cancelled)
        // Work that the check leaves behind may request switches: nothing waits for it any longer.
        running.end()
        work.cancel()
        alarm.cancel()
        return outcome
    }

    private static func verdict(of check: LaunchCheck, for identity: Identity) async -> LaunchCheck.Verdict {
        do {
            return try await check.verdict(identity)
        } catch is CancellationError {
            return .cancelled
        } catch {
            return .failed("\(error)")
        }
    }
}
