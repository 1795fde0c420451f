import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection

extension Reporter {
    /// Reports what a wipe would remove.
    func reportForecast(_ forecast: WipeReport) throws(CommandFailure) {
        try report(
            Entry(
                action: "would remove",
                bytes: forecast.bytes,
                files: forecast.files,
                keys: forecast.keyCount,
                identity: forecast.identity.name,
                reason: forecast.runs > 0 ? "a wipe has begun and is not complete" : nil
            )
        )
        report(forecast.failures, of: forecast.failureCount, "notLookedAt")
    }

    /// Reports the state of a wipe, as an answer: an incomplete wipe is not a problem of the command.
    func answer(_ status: IdentityWipe.Status) throws(CommandFailure) {
        if status.state != .complete { answerNo() }
        try report(Self.entry(status.state, status.identity, status.report, status))
    }

    /// Reports the result of a resumed wipe.
    func report(_ status: IdentityWipe.Status) throws(CommandFailure) {
        try report(Self.entry(status.state, status.identity, status.report, status))
        if let failure = status.failure { report([failure], of: 1, "wipeFailed") }
        if let result = status.report { report(result.failures, of: result.failureCount, "notRemoved") }
        if status.state != .complete { reportIncomplete(status.identity) }
    }

    func report(_ result: WipeReport) throws(CommandFailure) {
        try report(Self.entry(result.isComplete ? .complete : .unfinished, result.identity, result))
        report(result.failures, of: result.failureCount, "notRemoved")
        if !result.isComplete { reportIncomplete(result.identity) }
    }

    private static func entry(
        _ state: IdentityWipe.Status.State,
        _ identity: Identity?,
        _ result: WipeReport?,
        _ status: IdentityWipe.Status? = nil
    ) -> Entry {
        Entry(
            bytes: result?.bytes,
            files: result?.files,
            keys: result?.keys == .destroyed ? result?.keyCount : nil,
            state: state.rawValue,
            phase: status?.phase?.rawValue,
            report: result,
            identity: identity?.name ?? status?.failure?.subject,
            reason: status?.failure?.reason
        )
    }

    private func reportIncomplete(_ identity: Identity?) {
        let message = "The wipe is not complete. Fix the problems reported above, and run `wipe resume`."
        report(CommandFailure(.tryLater, "notComplete", message), about: identity?.name)
    }

    private func report(_ failures: [WipeFailure], of count: Int, _ code: String) {
        for failure in failures { report(CommandFailure(.tryLater, code, failure.reason), about: failure.subject) }
        if count > failures.count {
            report(CommandFailure(.tryLater, code, "And \(count - failures.count) more."))
        }
    }
}
