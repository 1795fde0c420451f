public import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Deregisters an account and unenrolls it: before it is signed out, and before the program drops its credentials.
    ///
    /// Its tries end and its policy of the service goes. It returns once the provider's credential for the service was had;
    /// the service is notified in the background, and a failure of that is an event.
    ///
    /// - Parameters:
    ///   - identity: The account, or an alias of it.
    ///   - wiping: Whether its data are wiped; only who removes them otherwise does not ask for it. The account is
    ///     signed out then, and what the wipe leaves is tried again.
    /// - Throws: ``AccountRegistryError`` where it is not registered, a wipe is asked of a registry that has none, or the
    ///   store fails; nothing has changed then.
    public func deregister(_ identity: Identity, wiping: Bool = true) async throws(AccountRegistryError) {
        if wiping, wipe == nil {
            throw AccountRegistryError(
                .cannotWipe,
                "\(identity) stays registered, since the registry was given nothing that wipes. Give it one, or do not ask."
            )
        }
        let account = try resolve(identity)
        // The service is notified by the settings that it was asked with, which go with the account.
        let settings = try settings(of: account)
        let owed = try inStore { (transaction) throws(AccountStoreError) -> (AccountRecord, AccountRecord?)? in
            guard let record = try transaction.account(account), record.stage != .wiping else { return nil }
            return (record, try part(record, .deregistered, "the program deregistered it", wiping, transaction))
        }
        guard let (record, wipe) = owed else { throw Self.notRegistered(identity) }
        if wiping { revoke(account) }
        letGoHere(account)
        tellEvents()
        if record.stage == .enrolled {
            let found = try? await limited { [self] in
                try await askProvider(for: account, prompting: false, settings: settings)
            }
            let credential = try? credential(of: account, found ?? nil)
            tellService(account, credential)
        }
        if let wipe { await self.wipe(wipe) }
    }

    /// Lets an account go that left from outside, as by an administrator or a leaver's event that the program has verified.
    ///
    /// It is deregistered, unenrolled and revoked in each process that shares the store. Its data are wiped by this process, or
    /// by the one that goes on if this one ends. It returns once no new work of it begins in this process, and
    /// ``settled(within:)`` waits for the others; the wipe goes on, and is tried again until nothing is left.
    ///
    /// - Parameters:
    ///   - identity: The account, or an alias of it; one that is not registered is revoked all the same.
    ///   - reason: Why, for people, without secrets.
    ///   - wiping: Whether its data are wiped; not of who has signed out and is expected back.
    /// - Throws: ``AccountRegistryError`` where it is nobody or the store fails; in the latter case it is revoked in this
    ///   process, and no other one knows: to be called again.
    public func remove(
        _ identity: Identity,
        because reason: String,
        wiping: Bool = true
    ) throws(AccountRegistryError) {
        if identity.isNobody { throw AccountRegistryError(.nobody, "Nobody is no account, and cannot leave.") }
        let account: Identity
        do throws(AccountRegistryError) { account = try resolve(identity) } catch {
            revoke(identity)
            throw error
        }
        try leave(account, reason, wiping: wiping, lease: nil)
    }

    /// Lets an account go; with a lease, only where the request that found out still has it.
    func leave(_ identity: Identity, _ reason: String, wiping: Bool, lease: String?) throws(AccountRegistryError) {
        if state.hasEnded { return }
        var (owed, failure): (AccountRecord?, AccountStoreError?)
        do {
            state.removals.beginsRemoving(identity)
            defer { state.removals.endsRemoving(identity) }
            do throws(AccountStoreError) {
                guard let written = try writeRemoval(of: identity, reason, wiping && wipe != nil, lease) else { return }
                owed = written.wipe
                state.removals.wrote(written.number)
            } catch {
                // Revoked here all the same.
                failure = error
            }
            revoke(identity)
        }
        letGoHere(identity)
        tellEvents()
        if let owed { Task.detached(executorPreference: executor) { [self] in await wipe(owed) } }
        if let failure { throw AccountRegistryError(failure) }
    }

    /// Writes down that an account left from outside, unless it has left already; `nil` where the lease is no more the request's.
    private func writeRemoval(
        of identity: Identity,
        _ reason: String,
        _ wiping: Bool,
        _ lease: String?
    ) throws(AccountStoreError) -> (number: Int64, wipe: AccountRecord?)? {
        try changing { (transaction) throws(AccountStoreError) in
            let record = try transaction.account(identity)
            if let lease, record?.lease != lease { return nil }
            // Being wiped. Who is revoked here, and not registered, others may not know of.
            if record?.stage == .wiping { return (0, nil) }
            let left = record ?? AccountRecord(identity)
            let owed = try part(left, .removed, reason, wiping, transaction)
            return (try transaction.lastEvent(), owed)
        }
    }

    /// Writes down that an account left, and takes the lease of its wipe where it is to have one.
    private func part(
        _ record: AccountRecord,
        _ status: AccountEventStatus,
        _ text: String,
        _ wiping: Bool,
        _ transaction: any AccountTransaction
    ) throws(AccountStoreError) -> AccountRecord? {
        // An account to be wiped keeps the names that its data may be under.
        if !wiping { try transaction.remove(record.identity) }
        try hasOthersTried(insteadOf: record, transaction)
        try note(record.identity, status, text, in: transaction)
        guard wiping else { return nil }
        var owed = AccountRecord(record.identity, .wiping)
        owed.runs = record.runs
        return try lease(&owed, transaction)
    }

    /// Wipes an account that has left, and forgets it where nothing is left.
    func wipe(_ record: AccountRecord) async {
        var problem: (any Error)?
        let renewal = Task.detached(executorPreference: executor) { [self] in await renew(record) }
        defer { renewal.cancel() }
        do {
            if let wipe, try await isWiped(record.identity, by: wipe) {
                if state.hasEnded { return }
                try changing { (transaction) throws(AccountStoreError) in
                    guard let now = try transaction.account(record.identity), now.lease == record.lease else { return }
                    try transaction.remove(record.identity)
                    try note(record.identity, .wiped, "all of its data are wiped", in: transaction)
                }
                return tellEvents()
            }
        } catch {
            problem = error
        }
        let text = problem.map { Self.failure($0).text } ?? "some of its data are left"
        finish(record, .wipeIncomplete, text, problem, due: AccountRegistryOptions.retryInterval)
    }

    /// Wipes an account, and what was made under its aliases before those stood for it.
    private func isWiped(_ account: Identity, by wipe: Wipe) async throws -> Bool {
        var isWiped = true
        for identity in account.underEachName where try await !wipe(identity) { isWiped = false }
        return isWiped
    }

    /// Keeps the lease of a wipe as long as that takes, so that nobody begins a second one.
    private func renew(_ record: AccountRecord) async {
        do {
            while true {
                try await time.sleep(time.now.advanced(by: options.leaseTime / 2))
                if state.hasEnded { return }
                let isOurs = try changing { (transaction) throws(AccountStoreError) in
                    guard var now = try transaction.account(record.identity), now.lease == record.lease else {
                        return false
                    }
                    now.due = time.now.advanced(by: options.leaseTime)
                    try transaction.put(now)
                    return true
                }
                if !isOurs { return }
            }
        } catch {
            // Cancelled, as the wipe is over; or the store fails, and the lease ends by itself.
        }
    }

    /// Tells the service in the background that an account has left, which ends in an event.
    func tellService(_ identity: Identity, _ credential: AccountCredential?) {
        state.tells(of: identity) {
            Task.detached(executorPreference: executor) { [self] in
                await serviceIsTold(identity, credential)
                state.hasTold(of: identity)
            }
        }
    }

    private func serviceIsTold(_ identity: Identity, _ credential: AccountCredential?) async {
        var failure: (any Error)?
        do {
            guard let credential else { throw EnrollmentFailure(.credentialMissing, "the provider has no credential") }
            try await limited { [service] in try await service.unenroll(credential) }
        } catch {
            failure = error
        }
        if state.hasEnded { return }
        let outcome = failure.map { Self.failure($0) } ?? EnrollmentFailure(.failed, "")
        do throws(AccountStoreError) {
            try changing { (transaction) throws(AccountStoreError) in
                _ = try note(
                    identity,
                    failure == nil ? .serviceTold : outcome.status,
                    failure == nil ? "the service was notified" : "the service was not notified: \(outcome.text)",
                    failure,
                    in: transaction
                )
            }
        } catch {
            // Nobody waits for it, and the account has left all the same.
        }
        tellEvents()
    }
}
