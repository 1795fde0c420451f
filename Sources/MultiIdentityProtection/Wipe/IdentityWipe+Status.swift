public import MultiIdentity
public import MultiIdentityFiles

extension IdentityWipe {
    /// The status of a wipe that has a journal or a report.
    public struct Status: Hashable, Sendable {
        /// The state of a wipe.
        public enum State: String, Hashable, Sendable, CaseIterable {
            /// The wipe is running in this process.
            case running
            /// The journal is open elsewhere, such as in another process that runs the wipe.
            case inUse
            /// The wipe was interrupted or is incomplete; it can be resumed.
            case unfinished
            /// The wipe is complete; its report is kept.
            case complete
            /// The journal cannot be read or used, so its identity is unknown.
            case unreadable
        }

        /// The state of the wipe.
        public let state: State
        /// The owner of the data; `nil` if the journal does not name it.
        public let identity: Identity?
        /// The phase that the last run reached, from its journal; `nil` if it has ended.
        public let phase: WipePhase?
        /// The report of the last run that ended.
        public let report: WipeReport?
        /// The reason why the journal is unusable, with its path as the subject, or why resuming failed.
        public let failure: WipeFailure?
    }
}

extension IdentityWipe.Status {
    init(_ report: WipeReport) {
        self.init(
            state: report.isComplete ? .complete : .unfinished,
            identity: report.identity,
            phase: nil,
            report: report,
            failure: nil
        )
    }

    init(_ identity: Identity, failed error: ProtectionError) {
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

extension IdentityWipe {
    /// Returns the status of each wipe that has a journal or a report; it can change while it is read.
    ///
    /// - Returns: Incomplete wipes first, then complete ones, each sorted by name; then unreadable journals.
    /// - Throws: ``ProtectionError`` if the folder is not private.
    public nonisolated(nonsending) func status() async throws(ProtectionError) -> [IdentityWipe.Status] {
        try await WipeThread.blocking { [self] in
            Result { () throws(ProtectionError) in try statuses() }
        }.get()
    }

    private func statuses() throws(ProtectionError) -> [IdentityWipe.Status] {
        let running = state.withLock { $0.running }
        var (unfinished, complete, unreadable) = (
            [IdentityWipe.Status](), [IdentityWipe.Status](), [IdentityWipe.Status]()
        )
        for kind in JournalFolder.Kind.allCases {
            for digest in try journals.digests(kind) {
                switch journals.read(digest, kind) {
                case .empty, .gone: break
                case .history(let history, let identity):
                    let state: IdentityWipe.Status.State =
                        if kind == .report || history.isComplete {
                            .complete
                        } else if running[identity] != nil {
                            .running
                        } else {
                            journals.isInUse(digest) ? .inUse : .unfinished
                        }
                    let phase = running[identity]?.phase ?? history.phase
                    let status = IdentityWipe.Status(
                        state: state,
                        identity: identity,
                        phase: state == .complete ? nil : phase,
                        report: history.report,
                        failure: nil
                    )
                    if state == .complete { complete.append(status) } else { unfinished.append(status) }
                case .unreadable(let failure, _): unreadable.append(IdentityWipe.Status(unreadable: failure))
                }
            }
        }
        let inOrder = { (one: IdentityWipe.Status, other: IdentityWipe.Status) in
            one.identity.flatMap { one in other.identity.map { one < $0 } } ?? false
        }
        return unfinished.sorted(by: inOrder) + complete.sorted(by: inOrder) + unreadable
    }

    /// Removes the report of a complete wipe, which is the last trace of the account's name.
    ///
    /// - Parameter identity: The account of the report.
    /// - Throws: ``ProtectionError`` if there is no report, or it cannot be removed.
    public nonisolated(nonsending) func discardReport(of identity: Identity) async throws(ProtectionError) {
        try await WipeThread.blocking { [journals] in
            Result { () throws(ProtectionError) in
                guard try journals.isThere() else { throw ProtectionError.noReport(identity) }
                let digest = try JournalFolder.digest(of: identity)
                do throws(SystemCallError) {
                    try journals.remove(digest, .report)
                } catch {
                    throw error.isNotFound ? ProtectionError.noReport(identity) : ProtectionError(error)
                }
            }
        }.get()
    }
}
