import Synchronization

/// A record of one scope, while a feature needs one: the identity, where it was bound, since when, and until when.
///
/// Work captured in the scope retains the record, and so can detect that the scope has ended.
@usableFromInline
final class ScopeRecord: Sendable {
    let identity: Identity?
    let site: CallSite?
    let began = CaptureTime.now
    private let ended = Locked<ContinuousClock.Instant?>(nil)
    private let runningWork: RunningWorkRoster.Ticket?
    private let hasBeenReported = Atomic(false)

    init(of identity: Identity?, _ site: CallSite?) {
        self.identity = identity
        self.site = site
        runningWork = RunningWorkRoster.enter(scopeOf: identity, at: site)
    }

    /// The instant at which the scope ended; `nil` while it is open.
    var endedAt: ContinuousClock.Instant? { ended.withLock { $0 } }

    /// For a snapshot that is made as if captured in a scope: nothing runs in that scope.
    func opensNothing() { runningWork?.leave() }

    func end() {
        ended.withLock { $0 = .now }
        runningWork?.leave()
    }

    /// Returns `true` once: a finding about a scope is reported once, however often its work runs.
    func isToBeReported() -> Bool { !hasBeenReported.exchange(true, ordering: .relaxed) }
}
