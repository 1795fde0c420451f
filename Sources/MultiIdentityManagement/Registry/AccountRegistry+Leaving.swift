public import MultiIdentity
import MultiIdentityPolicy

/// A departure that this process knows of and its store may not: written with its next transaction, before anything else.
struct Departure: Sendable {
    let identity: Identity
    let status: AccountEventStatus
    let reason: String
    /// The last event that was known when the store did not take it: an account that was registered later is back.
    var upTo = Int64.max
    var wiping = false
    /// The lease of the request that found out, if one did: it counts only while it has that.
    var lease: String?

    init(_ identity: Identity, _ status: AccountEventStatus, _ reason: String) {
        (self.identity, self.status, self.reason) = (identity, status, reason)
    }
}

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
        let owed = try inStore { (transaction) throws(AccountStoreError) -> (AccountRecord, AccountRecord?, Int64)? in
            guard let record = try transaction.account(account), record.stage != .wiping else { return nil }
            let wipe = try part(record, .deregistered, "the program deregistered it", wiping, transaction)
            return (record, wipe, try transaction.lastEvent())
        }
        guard let (record, wipe, number) = owed else { throw Self.notRegistered(identity) }
        if wiping {
            state.removals.wrote(number)
            state.removals.around(account) { revoke(account) }
        }
        letGoHere(account)
        tellEvents()
        if record.stage == .enrolled {
            let found = try? await limited { [self] in
                try await askProvider(for: account, prompting: false, settings: settings)
            }
            let credential = try? credential(of: account, found ?? nil)
            tellService(account, credential)
        }
        // Under nobody's identity, and not the caller's.
        if let wipe { await Task.detached(executorPreference: executor) { [self] in await self.wipe(wipe) }.value }
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
    ///   process, and written down when the store is there again. To be called again does no harm.
    public func remove(
        _ identity: Identity,
        because reason: String,
        wiping: Bool = true
    ) throws(AccountRegistryError) {
        if identity.isNobody { throw AccountRegistryError(.nobody, "Nobody is no account, and cannot leave.") }
        // Where the store fails, the name is resolved again when it is written down.
        try leave((try? resolve(identity)) ?? self.identity(named: identity), reason, wiping: wiping, lease: nil)
    }

    /// Lets an account go; with a lease, only where the request that found out still has it.
    func leave(_ identity: Identity, _ reason: String, wiping: Bool, lease: String?) throws(AccountRegistryError) {
        if state.hasEnded { return }
        var departure = Departure(identity, .removed, reason)
        (departure.wiping, departure.lease) = (wiping && wipe != nil, lease)
        var (owed, failure): (AccountRecord?, AccountStoreError?)
        do {
            state.removals.beginsRemoving(identity)
            defer { state.removals.endsRemoving(identity) }
            do throws(AccountStoreError) {
                let written = try changing { [departure] (transaction) throws(AccountStoreError) in
                    try write(departure, transaction)
                }
                guard let written else { return }
                owed = written.wipe
                state.removals.wrote(written.number)
            } catch {
                // Revoked here all the same.
                failure = error
                owe(departure)
            }
            revoke(identity)
        }
        letGoHere(identity)
        tellEvents()
        if let owed { Task.detached(executorPreference: executor) { [self] in await wipe(owed) } }
        if let failure { throw AccountRegistryError(failure) }
    }

    /// Has a departure that the store did not take written with the next transaction.
    func owe(_ departure: Departure) {
        var departure = departure
        departure.upTo = state.removals.followed
        state.owe([departure])
    }

    /// Writes a departure down, with the number of the event that others have to act on; `nil` where it is none any more.
    func write(
        _ departure: Departure,
        _ transaction: any AccountTransaction
    ) throws(AccountStoreError) -> (number: Int64, wipe: AccountRecord?)? {
        let identity = try Self.resolved(departure.identity, transaction)
        let record = try transaction.account(identity)
        if let lease = departure.lease, record?.lease != lease { return nil }
        // Being wiped, which others may not have heard of yet.
        if record?.stage == .wiping {
            return departure.status == .removed ? (record?.life ?? 0, nil) : nil
        }
        let isBack = (record?.life ?? 0) - 1 > departure.upTo
        switch departure.status {
        case .removed:
            // Who is revoked here, and not registered, others may not know of. Whoever is back is not wiped for what was before.
            let left = record ?? AccountRecord(identity)
            let wipe = try part(left, .removed, departure.reason, departure.wiping && !isBack, transaction)
            return (try transaction.lastEvent(), wipe)
        case .deregistered:
            guard let record, record.stage == .enrolled, !isBack else { return nil }
            return (0, try part(record, .deregistered, departure.reason, false, transaction))
        default:
            guard record != nil, !isBack else { return nil }
            return (try note(identity, departure.status, departure.reason, in: transaction), nil)
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
        // An account to be wiped keeps its other names until it is.
        if !wiping { try transaction.remove(record.identity) }
        try hasOthersTried(insteadOf: record, transaction)
        try note(record.identity, status, text, in: transaction)
        guard wiping else { return nil }
        if !status.revokes { try note(record.identity, .wipeBegan, "its data are being wiped", in: transaction) }
        var owed = AccountRecord(record.identity, .wiping)
        (owed.runs, owed.life) = (record.runs, try transaction.lastEvent())
        return try lease(&owed, transaction)
    }

    /// Wipes an account that has left, and forgets it where nothing is left.
    func wipe(_ record: AccountRecord) async {
        var problem: (any Error)?
        let renewal = Task.detached(executorPreference: executor) { [self] in await renew(record) }
        defer { renewal.cancel() }
        do {
            if let wipe, try await wipe(record.identity) {
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
