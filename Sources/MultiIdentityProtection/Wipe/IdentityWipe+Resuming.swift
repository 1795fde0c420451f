import MultiIdentity
import MultiIdentityFiles

extension IdentityWipe {
    /// Resumes every wipe that was interrupted or incomplete; call it when the program starts.
    ///
    /// The wipes run concurrently, as if each had been requested; they complete even for accounts that are no longer
    /// managed. A journal that names no identity is renamed and reported. If the calling task is cancelled, this returns
    /// and the wipes continue.
    ///
    /// - Parameter progress: As in ``wipe(_:progress:)``, for each wipe.
    /// - Returns: The current status of each wipe, with its report; ``IdentityWipe/Status/State/unreadable`` for an unusable
    ///   journal, and ``IdentityWipe/Status/State/inUse`` if another process continues the wipe.
    /// - Throws: ``ProtectionError`` if the folder is not private.
    public nonisolated(nonsending) func resume(
        progress: (@Sendable (WipeProgress) -> Void)? = nil
    ) async throws(ProtectionError) -> [IdentityWipe.Status] {
        let (found, unreadable) = try await WipeThread.blocking { [self] in
            Result { () throws(ProtectionError) in try interrupted() }
        }.get()
        // All begin, in order, before this waits for any.
        let running = found.map { start($0, .resuming) }
        var statuses = unreadable
        for running in running {
            do {
                if let report = try await wait(for: running, progress) { statuses.append(IdentityWipe.Status(report)) }
            } catch {
                statuses.append(IdentityWipe.Status(running.identity, failed: error))
            }
        }
        return statuses
    }

    /// Returns the identities with incomplete wipes, revoked from here on, and journals that do not name theirs.
    private func interrupted() throws(ProtectionError) -> ([Identity], [IdentityWipe.Status]) {
        journals.sweep()
        // Includes identities held for a wipe that another process has completed since: their wipe releases them.
        var found = state.withLock { $0.held }
        var unreadable: [IdentityWipe.Status] = []
        for digest in try journals.digests(.journal) {
            switch journals.read(digest) {
            case .history(_, let identity): found.insert(identity)
            case .gone: break
            case .empty: journals.removeEmpty(digest)
            case .unreadable(var failure, let mayBeSetAside):
                if mayBeSetAside { failure = journals.setAside(digest, failure) }
                unreadable.append(IdentityWipe.Status(unreadable: failure))
            }
        }
        for identity in found where try isUnfinished(identity) {
            hold(identity)
            IdentityRevocation.revoke(identity, for: .wiped)
        }
        return (found.sorted(), unreadable)
    }
}
