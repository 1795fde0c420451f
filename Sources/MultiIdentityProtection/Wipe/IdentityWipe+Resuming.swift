public import MultiIdentity
import MultiIdentityFiles

extension IdentityWipe {
    /// Goes on with each wipe that was interrupted or left something: to be called when the program starts.
    ///
    /// All of them at once, as if each had been asked for; an account that is not managed any more is wiped to the end
    /// all the same. A journal that names no identity is put aside, beside the others, and reported. Where the asking
    /// task is cancelled this returns, and the wipes go on.
    ///
    /// - Parameter progress: As in ``wipe(_:progress:)``, of each.
    /// - Returns: The status of each of them now, with its report; ``WipeStatus/State/unreadable`` for a journal that
    ///   cannot be used, and ``WipeStatus/State/inUse`` where another process goes on with it.
    /// - Throws: ``WipeError`` where the folder is not ours alone.
    public nonisolated(nonsending) func resume(
        progress: (@Sendable (WipeProgress) -> Void)? = nil
    ) async throws(WipeError) -> [WipeStatus] {
        let (found, unreadable) = try await WipeThread.blocking { [self] in
            Result { () throws(WipeError) in try interrupted() }
        }.get()
        // The first one asked for begins first; all have begun before one is waited for.
        let running = found.map { start($0, .resuming) }
        var statuses = unreadable
        for running in running {
            do throws(WipeError) {
                if let report = try await wait(for: running, progress) { statuses.append(WipeStatus(report)) }
            } catch {
                statuses.append(WipeStatus(running.identity, failed: error))
            }
        }
        return statuses
    }

    /// Returns the identities with incomplete wipes, revoked from here on, and journals that do not name theirs.
    private func interrupted() throws(WipeError) -> ([Identity], [WipeStatus]) {
        journals.sweep()
        // An identity kept back for a wipe that another process has completed since is let go there.
        var found = state.withLock { $0.held }
        var unreadable: [WipeStatus] = []
        for digest in try journals.digests(.journal) {
            switch journals.read(digest) {
            case .history(_, let identity): found.insert(identity)
            case .gone: break
            case .empty: journals.removeEmpty(digest)
            case .unreadable(var failure, let mayBeSetAside):
                if mayBeSetAside { failure = journals.setAside(digest, failure) }
                unreadable.append(WipeStatus(unreadable: failure))
            }
        }
        for identity in found where try isUnfinished(identity) {
            hold(identity)
            IdentityRevocation.revoke(identity, for: .wiped)
        }
        return (found.sorted(), unreadable)
    }

    /// Returns the status of each wipe that has a journal or a report; it changes while it is read.
    ///
    /// - Returns: Those that are not complete first, each sorted by name; then journals that cannot be read.
    /// - Throws: ``WipeError`` where the folder is not ours alone.
    public nonisolated(nonsending) func status() async throws(WipeError) -> [WipeStatus] {
        try await WipeThread.blocking { [self] in
            Result { () throws(WipeError) in try statuses() }
        }.get()
    }

    private func statuses() throws(WipeError) -> [WipeStatus] {
        let running = state.withLock { $0.running }
        var (unfinished, complete, unreadable) = ([WipeStatus](), [WipeStatus](), [WipeStatus]())
        for kind in WipeJournals.Kind.allCases {
            for digest in try journals.digests(kind) {
                switch journals.read(digest, kind) {
                case .empty, .gone: break
                case .history(let history, let identity):
                    let state: WipeStatus.State =
                        if kind == .report || history.isComplete {
                            .complete
                        } else if running[identity] != nil {
                            .running
                        } else {
                            journals.isInUse(digest) ? .inUse : .unfinished
                        }
                    let phase = running[identity]?.phase ?? history.phase
                    let status = WipeStatus(
                        state: state,
                        identity: identity,
                        phase: state == .complete ? nil : phase,
                        report: history.report,
                        failure: nil
                    )
                    if state == .complete { complete.append(status) } else { unfinished.append(status) }
                case .unreadable(let failure, _): unreadable.append(WipeStatus(unreadable: failure))
                }
            }
        }
        let inOrder = { (one: WipeStatus, other: WipeStatus) in
            one.identity.flatMap { one in other.identity.map { one < $0 } } ?? false
        }
        return unfinished.sorted(by: inOrder) + complete.sorted(by: inOrder) + unreadable
    }

    /// Removes the report of a complete wipe, and with it the last trace of the account's name.
    ///
    /// - Parameter identity: The account of the report.
    /// - Throws: ``WipeError`` where there is none, or it cannot be removed.
    public nonisolated(nonsending) func discardReport(of identity: Identity) async throws(WipeError) {
        try await WipeThread.blocking { [journals] in
            Result { () throws(WipeError) in
                guard try journals.isThere() else { throw WipeError.noReport(identity) }
                let digest = try WipeJournals.digest(of: identity)
                do throws(SystemCallError) {
                    try journals.remove(digest, .report)
                } catch {
                    throw error.isNotFound ? WipeError.noReport(identity) : WipeError(error)
                }
            }
        }.get()
    }
}

extension WipeStatus {
    init(_ report: WipeReport) {
        self.init(
            state: report.isComplete ? .complete : .unfinished,
            identity: report.identity,
            phase: nil,
            report: report,
            failure: nil
        )
    }

    init(_ identity: Identity, failed error: WipeError) {
        let state: State =
            switch error.code {
            case .inUse: .inUse
            case .stoppedWaiting: .running
            default: .unfinished
            }
        let failure = WipeFailure("the wipe of \(identity)", because: error.message)
        self.init(state: state, identity: identity, phase: nil, report: nil, failure: failure)
    }

    init(unreadable failure: WipeFailure) {
        self.init(state: .unreadable, identity: nil, phase: nil, report: nil, failure: failure)
    }
}
