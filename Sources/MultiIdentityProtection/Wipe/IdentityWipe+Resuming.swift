import MultiIdentity
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
    /// - Throws: ``ProtectionError`` where the folder is not ours alone.
    public nonisolated(nonsending) func resume(
        progress: (@Sendable (WipeProgress) -> Void)? = nil
    ) async throws(ProtectionError) -> [WipeStatus] {
        let (found, unreadable) = try await WipeThread.blocking { [self] in
            Result { () throws(ProtectionError) in try interrupted() }
        }.get()
        // The first one asked for begins first; all have begun before one is waited for.
        let running = found.map { start($0, .resuming) }
        var statuses = unreadable
        for running in running {
            do {
                if let report = try await wait(for: running, progress) { statuses.append(WipeStatus(report)) }
            } catch {
                statuses.append(WipeStatus(running.identity, failed: error))
            }
        }
        return statuses
    }

    /// Returns the identities with incomplete wipes, revoked from here on, and journals that do not name theirs.
    private func interrupted() throws(ProtectionError) -> ([Identity], [WipeStatus]) {
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
}
