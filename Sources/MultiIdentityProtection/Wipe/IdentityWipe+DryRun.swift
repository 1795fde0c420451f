public import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy

extension IdentityWipe {
    /// Counts what a wipe would remove, and changes nothing: no handler is called, no identity revoked, no file
    /// written.
    ///
    /// - Parameters:
    ///   - identity: The owner of the data.
    ///   - progress: As in ``wipe(_:progress:)``.
    /// - Returns: A report of what a wipe would remove, without what the handler would remove. ``WipeReport/isComplete``
    ///   is `false`; ``WipeReport/runs`` is above 0 if a wipe has begun and is not complete.
    /// - Throws: ``ProtectionError`` if a wipe of this identity would be refused.
    public nonisolated(nonsending) func dryRun(
        _ identity: Identity?,
        progress: (@Sendable (WipeProgress) -> Void)? = nil
    ) async throws(ProtectionError) -> WipeReport {
        let identity = try Self.account(identity)
        let (began, runs) = (Self.now, try unfinished(identity)?.runs ?? 0)
        if state.withLock({ $0.running[identity] }) == nil { try checkManaged(identity) }
        let work = await IdentityRevocation.whileCallerWaits(for: identity) {
            IdentityRevocation.workInFlight(of: identity)
        }
        let tally = WipeTally(
            of: identity,
            after: WipeTally.Count(),
            yields: yields,
            notify: progress ?? { _ in },
            note: { _ in }
        )
        tally.begin(.removing)
        await turns.take()
        defer { turns.give() }
        await WipeThread.run(yields: yields) { [self] in
            for storage in storages { tally.visit(storage, .foundFiles) }
            do { tally.setKeys(try keys?.keyCount(of: identity)) } catch {
                tally.fail(WipeFailure("the keys of \(identity)", because: "\(error)"))
            }
        }
        let count = tally.count
        return WipeReport(
            identity: identity,
            isComplete: false,
            runs: runs,
            wasManaged: accounts.isManaged(identity),
            began: began,
            ended: Self.now,
            handled: nil,
            files: count.files,
            bytes: count.bytes,
            isCountExact: true,
            keys: keys == nil ? .none : .kept,
            keyCount: count.keys,
            work: WipeReport.Work(cancelled: 0, captured: work.captured, stillRunning: work.running, names: []),
            failures: tally.failures,
            failureCount: tally.failureCount,
            journalDamage: 0,
            seconds: [:]
        )
    }
}
