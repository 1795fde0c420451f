import CSystemCalls
public import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy

extension IdentityWipe {
    /// Wipes an account, or resumes its wipe; a call during a wipe gets the same report.
    ///
    /// The wipe does not belong to the calling task: if that is cancelled, this throws at once and the wipe continues.
    /// The caller's own scopes of the identity do not count as running work, since they wait for this call. After a
    /// complete wipe the identity stays revoked, also in later processes, until the program readmits it
    /// (`IdentityRevocation.readmit`).
    ///
    /// - Parameters:
    ///   - identity: The owner of the data.
    ///   - progress: Called with the progress, from any thread, about ten times a second at most; it delays the wipe, so
    ///     keep it short.
    /// - Returns: What was removed, what was not, and why; see ``WipeReport/isComplete``.
    /// - Throws: ``ProtectionError`` if the identity is unset, nobody or not managed, if it is being wiped elsewhere,
    ///   or if the journal cannot be created; nothing was done. With `.stoppedWaiting` if the calling task was
    ///   cancelled.
    public nonisolated(nonsending) func wipe(
        _ identity: Identity?,
        progress: (@Sendable (WipeProgress) -> Void)? = nil
    ) async throws(ProtectionError) -> WipeReport {
        while true {
            let running = try self.running(identity)
            if let report = try await wait(for: running, progress) { return report }
            // That was a resumption that found nothing to resume.
        }
    }

    /// The running wipe of an identity, or a new one.
    private func running(_ identity: Identity?) throws(ProtectionError) -> RunningWipe {
        let identity = try Self.account(identity)
        let running = state.withLock { $0.running[identity] }
        if let running {
            if running === RunningWipe.handled { throw ProtectionError.wouldDeadlock(identity) }
            return running
        }
        try checkManaged(identity)
        return start(identity, .wiping)
    }

    static func account(_ identity: Identity?) throws(ProtectionError) -> Identity {
        guard let identity else { throw ProtectionError.noIdentity }
        if identity.isNobody { throw ProtectionError.wipesNobody }
        return identity
    }

    /// Throws if an identity is not managed, unless it is revoked, has keys, or its wipe has begun.
    func checkManaged(_ identity: Identity) throws(ProtectionError) {
        if let account = IdentityRevocation.account(named: identity) {
            // A wipe that has begun continues; otherwise the account must be wiped, not its alias.
            if try isUnfinished(identity) { return }
            throw ProtectionError.isOtherName(identity, of: account)
        }
        if accounts.isManaged(identity) || IdentityRevocation.isRevoked(identity) { return }
        if try isUnfinished(identity) { return }
        do {
            if try keys?.hasKeys(of: identity) ?? false { return }
        } catch {
            throw ProtectionError.notManaged(identity, since: error)
        }
        throw ProtectionError.notManaged(identity)
    }

    func isUnfinished(_ identity: Identity) throws(ProtectionError) -> Bool { try unfinished(identity) != nil }

    /// The journal of a wipe that has begun and is not complete.
    func unfinished(_ identity: Identity) throws(ProtectionError) -> WipeHistory? {
        guard try journals.isThere(),
            case .history(let history, _) = journals.read(try JournalFolder.digest(of: identity))
        else { return nil }
        return history.isComplete ? nil : history
    }

    /// Joins a wipe, or starts it in its own task, with nothing bound and without cancellation.
    func start(_ identity: Identity, _ purpose: WipeJournal.Purpose) -> RunningWipe {
        let (running, isNew) = state.withLock { state in
            if let running = state.running[identity] { return (running, false) }
            let running = RunningWipe(of: identity)
            state.running[identity] = running
            return (running, true)
        }
        if isNew {
            let began = recordBeginning(of: identity, purpose)
            Task.detached { [self] in
                let outcome = await outcome(of: running, purpose)
                _ = state.withLock { $0.running.removeValue(forKey: identity) }
                if let began { recordEnd(of: began, outcome) }
                running.finish(outcome)
            }
        }
        return running
    }

    /// Runs a wipe from its journal's first record to its report.
    private func outcome(of running: RunningWipe, _ purpose: WipeJournal.Purpose) async -> RunningWipe.Outcome {
        let identity = running.identity
        let opened = await WipeThread.blocking { [self] in
            Result { () throws(ProtectionError) in try begin(identity, purpose) }
        }
        switch opened {
        case .failure(let error): return .failure(error)
        case .success(.over(let report)):
            isComplete(identity)
            return .success(report)
        case .success(.journal(let journal)):
            // The journal records the wipe from here on, so first prevent readmission.
            hold(identity)
            let report = await WipeSteps(self, running, journal).report()
            if report.isComplete { isComplete(identity) }
            return .success(report)
        }
    }

    /// Opens the journal and notes that a run begins.
    private func begin(
        _ identity: Identity,
        _ purpose: WipeJournal.Purpose
    ) throws(ProtectionError) -> WipeJournal.Opened {
        let opened = try WipeJournal.open(identity, in: journals, purpose)
        guard case .journal(let journal) = opened else { return opened }
        do {
            let (run, storages) = (journal.history.runs + 1, storages.map(\.storageName))
            try journal.note(.began(run: run, at: Self.now, storages: storages, hasKeys: keys != nil))
        } catch {
            journal.removeUnbegun()
            journal.close()
            throw ProtectionError(error)
        }
        return opened
    }

    /// The time of day, in seconds since 1970.
    static var now: Int64 { Int64(time(nil)) }

    nonisolated(nonsending) func wait(
        for running: RunningWipe,
        _ progress: RunningWipe.Watcher?
    ) async throws(ProtectionError) -> WipeReport? {
        let outcome = await IdentityRevocation.whileCallerWaits(for: running.identity) {
            await running.wait(progress)
        }
        return try outcome.get()
    }
}
