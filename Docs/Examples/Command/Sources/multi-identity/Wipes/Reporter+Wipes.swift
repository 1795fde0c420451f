import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection

extension WipeStatus {
    /// The facts that are written about a wipe.
    struct Shown {
        let state: State
        let identity: Identity?
        let phase: WipePhase?
        let report: WipeReport?
        let failure: WipeFailure?

        init(_ status: WipeStatus) {
            (state, identity, phase) = (status.state, status.identity, status.phase)
            (report, failure) = (status.report, status.failure)
        }

        init(_ report: WipeReport) {
            (state, identity) = (report.isComplete ? .complete : .unfinished, report.identity)
            (phase, self.report, failure) = (nil, report, nil)
        }
    }
}

extension Reporter {
    /// Tells what a wipe would remove.
    func tell(_ forecast: WipeForecast) throws(CommandFailure) {
        try tell(
            Entry(
                action: "would remove",
                bytes: forecast.bytes,
                files: forecast.files,
                keys: forecast.keys,
                identity: forecast.identity.name,
                reason: forecast.isUnfinished ? "a wipe has begun, and is not complete" : nil
            )
        )
        tell(forecast.failures, of: forecast.failureCount, "notLookedAt")
    }

    /// Tells how a wipe stands.
    ///
    /// - Parameters:
    ///   - status: How it stands.
    ///   - isQuestion: That something is left is an answer, and not a problem of this command.
    /// - Throws: ``CommandFailure`` where nobody takes it.
    func tell(_ status: WipeStatus.Shown, isQuestion: Bool = false) throws(CommandFailure) {
        let report = status.report
        try tell(
            Entry(
                bytes: report?.bytes,
                files: report?.files,
                keys: report?.keys.outcome == .destroyed ? report?.keys.count : nil,
                state: status.state.rawValue,
                phase: status.phase?.rawValue,
                report: report,
                identity: status.identity?.name ?? status.failure?.subject,
                reason: isQuestion ? status.failure?.reason : nil
            )
        )
        if isQuestion { return }
        if let failure = status.failure { tell([failure], of: 1, "wipeFailed") }
        if let report { tell(report.failures, of: report.failureCount, "notRemoved") }
        if status.state != .complete {
            tell(
                CommandFailure(
                    .tryLater,
                    "notComplete",
                    "Not all is removed. Mend what is reported above, and `wipe resume`."
                ),
                about: status.identity?.name
            )
        }
    }

    private func tell(_ failures: [WipeFailure], of count: Int, _ code: String) {
        for failure in failures { tell(CommandFailure(.tryLater, code, failure.reason), about: failure.subject) }
        if count > failures.count {
            tell(CommandFailure(.tryLater, code, "And \(count - failures.count) more."))
        }
    }
}

extension Progress {
    /// Tells how far a wipe is.
    func tell(_ wipe: WipeProgress) {
        tell("\(wipe.identity) (\(wipe.phase.rawValue), \(wipe.entries) looked at)", wipe.files, of: nil, .files)
    }
}
