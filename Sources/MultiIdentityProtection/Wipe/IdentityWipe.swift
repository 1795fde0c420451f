public import MultiIdentity
public import MultiIdentityFiles
public import MultiIdentityPolicy

/// Removes all data of one account and no other; a journal lets the wipe continue after a crash.
///
/// ```swift
/// let wipe = try IdentityWipe(journals: folder, accounts: accounts, storages: [files], keys: keys) { identity in
///     try await database.deleteRows(of: identity)
///     return .notRemoved  // the files are left to the storages
/// }
/// _ = try await wipe.resume()  // when the program starts
/// let report = try await wipe.wipe(ada)
/// ```
///
/// The identity's new work is refused from the start. Running work is cancelled, and waited for up to a limit. Then the
/// handler is called, and each storage removes the account's files. The keys are destroyed last, if nothing else
/// failed. Failures stay in the journal, and the identity stays revoked, until a later run completes.
public final class IdentityWipe: Sendable {
    /// Removes what the program knows of an account: rows, caches, data at other services.
    ///
    /// It is called off the main thread with no identity bound, once in each run, so its work may already be partly or
    /// fully done. If it throws, the wipe is incomplete and must be resumed.
    package typealias Handler = @Sendable @concurrent (Identity) async throws -> IdentityWipe.HandledFiles

    struct State {
        var running: [Identity: RunningWipe] = [:]
        /// The identities that may not be readmitted before their wipe is complete.
        var held: Set<Identity> = []
    }

    let journals: JournalFolder
    let accounts: any ManagedIdentities
    let storages: [any WipedStorage]
    let keys: (any IdentityKeyProvider)?
    let drainTimeout: Duration
    let yields: Bool
    let handler: Handler
    let turns = Semaphore(atOnce: 2)
    let state = Locked(State())
    private let readmissions: WipeReadmissions

    /// Creates a wipe, and at once revokes identities with incomplete wipes, and those wiped but not readmitted.
    ///
    /// Create it when the program starts, before anyone is admitted, and keep it: it records readmissions.
    ///
    /// It reads the existing journals and reports. An unreadable one affects no other; ``status()`` and
    /// ``resume(progress:)`` report it.
    ///
    /// - Parameters:
    ///   - folder: The folder for journals and reports only, with mode 0700; the first wipe creates it if its parent
    ///     exists.
    ///   - accounts: The managed accounts. Other accounts can be wiped only if they were signed out or have keys.
    ///   - storages: The storages of accounts' files.
    ///   - keys: The provider of accounts' keys.
    ///   - drainTimeout: The maximum time to wait for running work.
    ///   - yields: Whether a wipe works for at most 1/32 of the time, for programs that serve others meanwhile; otherwise
    ///     it runs at full speed.
    ///   - handler: Removes the program's data of an account, such as rows and caches, and returns whether it removed the
    ///     files too. Called in each run, off the main thread, with no identity bound. If it throws, the wipe is incomplete.
    /// - Throws: ``ProtectionError`` if the folder is not private.
    /// - Complexity: O(*n*) in the number of wipes with a journal or a report, and of names in the folder.
    public init(
        journals folder: String,
        accounts: any ManagedIdentities,
        storages: [any WipedStorage],
        keys: (any IdentityKeyProvider)? = nil,
        drainTimeout: Duration = .seconds(10),
        yields: Bool = true,
        handler: @escaping @Sendable @concurrent (Identity) async throws -> IdentityWipe.HandledFiles
    ) throws(ProtectionError) {
        journals = JournalFolder(folder: folder)
        self.accounts = accounts
        self.storages = storages
        self.keys = keys
        // Clamped, because it is added to a time, which must not overflow.
        self.drainTimeout = min(max(drainTimeout, .zero), .seconds(100 * 365 * 86_400))
        self.yields = yields
        self.handler = handler
        readmissions = WipeReadmissions(journals)
        try revokeWiped()
        IdentityRevocation.watch(readmissions)
    }

    /// Revokes the identities with interrupted wipes, which may not be readmitted, and then those with complete ones.
    private func revokeWiped() throws(ProtectionError) {
        for kind in [JournalFolder.Kind.journal, .report] {
            for digest in try journals.digests(kind) {
                guard case .history(let history, let identity) = journals.read(digest, kind) else { continue }
                let isComplete = kind == .report || history.isComplete
                if history.isReadmitted || isComplete && state.withLock({ $0.held.contains(identity) }) { continue }
                if !isComplete { hold(identity) }
                IdentityRevocation.revoke(identity, for: .wiped)
                if isComplete { IdentityRevocation.wipeIsComplete(of: identity) }
            }
        }
    }

    deinit {
        IdentityRevocation.unwatch(readmissions)
        // No one is left here to continue them; the next reader of the journals holds incomplete ones again.
        for identity in state.withLock({ $0.held }) { IdentityRevocation.letGo(identity) }
    }

    /// Prevents readmission of an identity until its wipe is complete.
    func hold(_ identity: Identity) {
        if state.withLock({ $0.held.insert(identity).inserted }) { IdentityRevocation.hold(identity) }
    }

    /// Records that an identity's wipe is complete, so that it may be readmitted.
    func isComplete(_ identity: Identity) {
        // First, since a readmitted identity has not departed.
        IdentityRevocation.wipeIsComplete(of: identity)
        if state.withLock({ $0.held.remove(identity) }) != nil { IdentityRevocation.letGo(identity) }
    }
}
