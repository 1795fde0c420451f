import MultiIdentity
public import MultiIdentityFiles
public import MultiIdentityPolicy

/// Removes all data of one account, and touches nobody else's; noted in a journal, by which it goes on after a crash.
///
/// ```swift
/// let wipe = try IdentityWipe(journals: folder, accounts: accounts, storages: [files], keys: keys) { request in
///     try await database.deleteRows(of: request.identity)
///     return .leftToStorages  // the files are left to the storages
/// }
/// _ = try await wipe.resume()  // when the program starts
/// let report = try await wipe.wipe(ada)
/// ```
///
/// New work of the identity is refused from the start, and what is in flight is cancelled and waited for, up to a
/// limit. Then the handler is called, then each storage removes the account's files, and the keys are destroyed last,
/// only if nothing else failed. What fails stays in the journal, and the identity revoked, until a later run has
/// nothing left.
public final class IdentityWipe: Sendable {
    /// Removes what the program knows of an account: rows, caches, what other services hold.
    ///
    /// Called away from the main thread with nothing bound, once in each run; so it may find its work half done, or
    /// done. Where it throws, the wipe is incomplete, and is to be resumed.
    public typealias Handler = @Sendable @concurrent (WipeRequest) async throws -> HandledFiles

    struct State {
        var running: [Identity: RunningWipe] = [:]
        /// The identities that nobody may readmit before their wipe is complete.
        var held: Set<Identity> = []
    }

    let journals: JournalFolder
    let accounts: any ManagedIdentities
    let storages: [any WipedStorage]
    let keys: (any IdentityKeyProvider)?
    let drainLimit: Duration
    let pace: WipePace
    let handler: Handler
    let turns = Semaphore(atOnce: 2)
    let state = Locked(State())
    private let readmissions: WipeReadmissions

    /// Says what holds data of accounts, and revokes at once the identities with interrupted wipes, and those with complete ones
    /// that were not readmitted.
    ///
    /// To be made when the program starts, before anybody is admitted, and kept: it notes who is readmitted.
    ///
    /// It reads the journals and reports that are there. One that cannot be read keeps none of the others from counting:
    /// ``status()`` and ``resume(progress:)`` tell of it.
    ///
    /// - Parameters:
    ///   - folder: Where journals and reports are kept: a folder for them alone, with mode 0700; made with the first
    ///     wipe where its parent is there.
    ///   - accounts: The managed accounts; of others, those that were signed out or have keys are wiped, and no others.
    ///   - storages: What holds files of accounts.
    ///   - keys: What holds their keys.
    ///   - drainLimit: The longest time that work in flight is waited for.
    ///   - pace: The share of the machine that a wipe takes.
    ///   - handler: Removes what the program knows of.
    /// - Throws: ``ProtectionError`` where the folder is not ours alone.
    /// - Complexity: O(*n*) in the number of wipes with a journal or a report, and of names in the folder.
    public init(
        journals folder: String,
        accounts: any ManagedIdentities,
        storages: [any WipedStorage],
        keys: (any IdentityKeyProvider)? = nil,
        drainLimit: Duration = .seconds(10),
        pace: WipePace = .yielding,
        handler: @escaping Handler
    ) throws(ProtectionError) {
        journals = JournalFolder(folder: folder)
        self.accounts = accounts
        self.storages = storages
        self.keys = keys
        // A limit is added to the time, which must not run over.
        self.drainLimit = min(max(drainLimit, .zero), .seconds(100 * 365 * 86_400))
        self.pace = pace
        self.handler = handler
        readmissions = WipeReadmissions(journals)
        try revokeWiped()
        IdentityRevocation.watch(readmissions)
    }

    /// Revokes the identities with interrupted wipes, which nobody may readmit, and then those with complete ones.
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
        // Nobody is left to go on with them here; what is not complete is kept back again by the next reader of the
        // journals.
        for identity in state.withLock({ $0.held }) { IdentityRevocation.letGo(identity) }
    }

    /// Has nobody readmit an identity until its wipe is complete.
    func hold(_ identity: Identity) {
        if state.withLock({ $0.held.insert(identity).inserted }) { IdentityRevocation.hold(identity) }
    }

    /// Says that nothing is left of an identity, which may be readmitted from now on.
    func isComplete(_ identity: Identity) {
        // First, since a readmitted identity has not departed.
        IdentityRevocation.wipeIsComplete(of: identity)
        if state.withLock({ $0.held.remove(identity) }) != nil { IdentityRevocation.letGo(identity) }
    }
}
