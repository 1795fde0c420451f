import MultiIdentity
import MultiIdentityPolicy

extension IdentityWipe {
    /// Records the beginning of a wipe if there is an audit sink; the actor is the caller.
    func recordBeginning(of identity: Identity, _ purpose: WipeJournal.Purpose) -> AuditEvent? {
        guard let audit = accounts.audit else { return nil }
        let reason = purpose == .resuming ? "it was interrupted or incomplete" : "it was requested"
        let began = AuditEvent(.wipeBegan, of: identity, because: reason)
        audit.record(began)
        return began
    }

    /// Records the outcome of the wipe.
    func recordEnd(of began: AuditEvent, _ outcome: RunningWipe.Outcome) {
        let reason =
            switch outcome {
            case .success(nil): "there was nothing left to resume"
            // Only the summary line, because lines for failures name files.
            case .success(.some(let report)): String("\(report)".prefix { $0 != "\n" })
            case .failure(let error): "\(error)"
            }
        accounts.audit?.record(began.ended(.wipeEnded, because: reason))
    }
}
