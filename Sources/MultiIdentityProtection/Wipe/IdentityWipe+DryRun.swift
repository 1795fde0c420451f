public import MultiIdentity
public import MultiIdentityFiles
import MultiIdentityPolicy

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
        let tally = WipeTally(of: identity, after: WipeTally.Count(), pace, tell: progress ?? { _ in }, note: { _ in })
        tally.begin(.removing)
        await turns.take()
        defer { turns.give() }
        await WipeThread.yielding(pace) { [self] in
            for storage in storages { tally.visit(storage, .foundFiles) }
            do { tally.setKeys(try keys?.keyCount(of: identity)) } catch {
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

/// A forecast of what a wipe would remove, as a dry run found it.
public struct WipeForecast: Hashable, Codable, Sendable {
    /// The owner of the data.
    public let identity: Identity
    /// The number of files that the storages would remove; what the program's handler would is not known.
    public let files: UInt64
    /// The number of bytes of these files.
    public let bytes: UInt64
    /// The number of keys that would be destroyed, where the provider can tell.
    public let keys: Int?
    /// The amount of work that runs.
    public let running: Int
    /// The amount of work that was captured, and would run under nobody.
    public let captured: Int
    /// Indicates whether a wipe has begun and is not complete.
    public let isUnfinished: Bool
    /// The failures to look at something: the first thousand at most, of ``failureCount``.
    public let failures: [WipeFailure]
    /// The number of failures.
    public let failureCount: Int
}
