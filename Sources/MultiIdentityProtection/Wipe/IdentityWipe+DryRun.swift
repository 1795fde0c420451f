public import MultiIdentity
import MultiIdentityFiles

extension IdentityWipe {
    /// Counts what a wipe would remove, and touches nothing: no handler is called, nobody revoked, nothing written.
    ///
    /// - Parameters:
    ///   - identity: The owner of the data.
    ///   - progress: As in ``wipe(_:progress:)``.
    /// - Returns: What there is now.
    /// - Throws: ``WipeError`` where a wipe would be refused for this identity.
    public nonisolated(nonsending) func dryRun(
        _ identity: Identity?,
        progress: (@Sendable (WipeProgress) -> Void)? = nil
    ) async throws(WipeError) -> WipeForecast {
        let identity = try Self.account(identity)
        let isUnfinished = try isUnfinished(identity)
        if state.withLock({ $0.running[identity] }) == nil { try checkManaged(identity) }
        let work = await IdentityRevocation.whileCallerWaits(for: identity) {
            IdentityRevocation.workInFlight(of: identity)
        }
        let tally = WipeTally(of: identity, after: WipeCount(), pace, tell: progress ?? { _ in }, note: { _ in })
        tally.begin(.removing)
        await turns.take()
        defer { turns.give() }
        await WipeThread.yielding(pace) { [self] in
            for storage in storages { WipeSteps.visit(storage, tally, .foundFiles) }
            do throws(IdentityKeyError) {
                tally.setKeys(try (keys as? any CountedIdentityKeys)?.keyCount(of: identity))
            } catch {
                tally.fail(WipeFailure("the keys of \(identity)", because: "\(error)"))
            }
        }
        let count = tally.count
        return WipeForecast(
            identity: identity,
            files: count.files,
            bytes: count.bytes,
            keys: count.keys,
            running: work.running,
            captured: work.captured,
            isUnfinished: isUnfinished,
            failures: tally.failures,
            failureCount: tally.failureCount
        )
    }
}
