public import MultiIdentity
import MultiIdentityPolicy

/// A departure that the store may not know yet: it is stored first in the next transaction.
struct Departure: Sendable {
    /// The account, as this process knows it and revokes it.
    let identity: Identity
    /// The requested name, if it may be an alias; the store decides of which account.
    var name: Identity?
    let status: AccountEventStatus
    let reason: String
    /// The last event known when the store failed: an account that was registered later is back.
    var upTo = Int64.max
    var wiping = false
    /// Indicates whether the service must be notified of a removal from outside.
    var tells = false
    /// The lease of the request that found out, if any; the departure counts only while the request has it.
    var lease: String?
    /// Indicates whether its identity had departed by then; it may be readmitted before this is stored.
    let isSignedOut: Bool

    init(_ identity: Identity, _ status: AccountEventStatus, _ reason: String) {
        (self.identity, self.status, self.reason) = (identity, status, reason)
        isSignedOut = IdentityRevocation.hasDeparted(identity)
    }

    func isSame(as other: Self) -> Bool { (identity, name, status) == (other.identity, other.name, other.status) }
}

extension AccountRegistry {
    /// Deregisters and unenrolls an account; call it before the program signs the user out and drops the credentials.
    ///
    /// Retries for the account end, and the service's policy for it is removed. This returns once the provider has
    /// returned a credential for the service. The service is notified in the background; an event reports a failure.
    ///
    /// - Parameters:
    ///   - identity: The account, or an alias of it.
    ///   - wiping: Whether the account's data are wiped if this unenrolls it; pass `false` only if you remove them
    ///     yourself. A wipe also signs the account out, and is retried until it is complete. Data that never came
    ///     under a policy are the user's own and stay.
    /// - Throws: ``ManagementError`` if the account is not registered, if a wipe is requested from a registry without
    ///   one, or if the store fails; nothing has changed.
    public func deregister(_ identity: Identity, wiping: Bool = true) async throws(ManagementError) {
        let account = try resolve(identity)
        // Read now: the service is notified with these settings, and they are removed with the account.
        let settings = try settings(of: account)
        let (work, number) = try changing { transaction -> (AccountRecord?, Int64?) in
            guard let record = try transaction.account(account) else { throw Self.notRegistered(identity) }
            // Signed out before, by a program that lets the registry notify the service.
            if record.stage == .leaving, !wiping { return (nil, nil) }
            guard record.isRegistered else { throw Self.notRegistered(identity) }
            let (isEnrolled, text) = (record.stage == .enrolled, "the program deregistered it")
            if !isEnrolled || !wiping {
                let rest = isEnrolled ? "" : "; it was never enrolled, and its data stay"
                return (try part(record, .deregistered, text + rest, false, transaction), nil)
            }
            if wipe == nil {
                throw ManagementError(
                    .cannotWipe,
                    "\(identity) stays registered, since the registry was created without a wipe. Pass one, or call with wiping: false."
                )
            }
            let work = try part(record, .deregistered, text, true, transaction)
            return (work, try transaction.lastEvent())
        }
        if let number {
            state.removals.wrote(number)
            state.removals.around(account) { revoke(account) }
        }
        letGoHere(account)
        notifyEvents()
        guard let work else { return }
        if work.wasAsked {
            let credential = await credentialToNotify(work, settings)
            Task.detached(executorPreference: executor) { [self] in await notify(work, credential) }
        }
        if work.stage == .wiping {
            // With no identity bound, rather than the caller's.
            await Task.detached(executorPreference: executor) { [self] in await wipe(work) }.value
        }
    }

    /// Removes an account on an outside request, such as an administrator's or a verified leaver event.
    ///
    /// The account is deregistered, unenrolled and revoked in each process that shares the store. This process wipes
    /// its data, or another one if this one ends. When this returns, no new work of the account begins in this process;
    /// ``waitUntilSettled(timeout:)`` waits for the others. The wipe continues, and is retried until nothing is left.
    ///
    /// - Parameters:
    ///   - identity: The account, or an alias of it; one that is not registered is revoked too.
    ///   - reason: The reason in words, without secrets.
    ///   - wiping: Whether the account's data are wiped; pass `false` for a user who has signed out and will return.
    /// - Throws: ``ManagementError`` if the identity is nobody, or if the store fails. In the latter case the account
    ///   is revoked in this process, and the removal is stored when the store is available again. Calling this again is
    ///   harmless.
    public func remove(
        _ identity: Identity,
        because reason: String,
        wiping: Bool = true
    ) throws(ManagementError) {
        if identity.isNobody { throw ManagementError(.nobody, "Nobody is not an account. Name the account to remove.") }
        let account = (try? resolve(identity)) ?? self.identity(named: identity)
        try leave(account, named: identity, reason, wiping: wiping, lease: nil)
    }

    /// Removes an account; with a lease, only if the request that found out still has it.
    func leave(
        _ identity: Identity,
        named name: Identity? = nil,
        _ reason: String,
        wiping: Bool,
        tells: Bool = false,
        lease: String?
    ) throws(ManagementError) {
        if state.hasEnded { return }
        var departure = Departure(identity, .removed, reason)
        (departure.name, departure.wiping, departure.tells, departure.lease) = (
            name, wiping && wipe != nil, tells, lease
        )
        var failure: ManagementError?
        var written: (identity: Identity, number: Int64, left: AccountRecord?)?
        state.removals.around(identity) {
            do throws(ManagementError) {
                written = try changing { [departure] transaction in try write(departure, transaction) }
                guard let written else { return }
                state.removals.wrote(written.number)
            } catch {
                // It is revoked here anyway.
                failure = error
                owe(departure)
            }
            revoke(written?.identity ?? identity)
        }
        if written == nil, failure == nil { return }
        letGoHere(written?.identity ?? identity)
        notifyEvents()
        if let left = written?.left { requestInBackground(left) }
        if let failure { throw failure }
    }

    /// Records that an account left the process's accounts: it was signed out, or its wipe is complete.
    func hasLeft(_ identity: Identity) {
        // No one signed it out if another process's removal is followed here, or if it is back already.
        if state.removals.isRemoving(identity) || accounts.isEnrolled(identity) { return }
        depart(Departure(identity, .deregistered, "signed out or wiped"))
    }

    /// Makes the other processes revoke an account that the program itself wipes; they know of the registry's wipes.
    func isBeingWiped(_ identity: Identity) { depart(Departure(identity, .wipeBegan, "its data are being wiped")) }

    private func depart(_ departure: Departure) {
        do {
            guard let written = try changing({ transaction in try write(departure, transaction) }) else { return }
            notifyEvents()
            if let left = written.left { requestInBackground(left) }
        } catch {
            // It is revoked here, and stored with the next transaction.
            owe(departure)
        }
    }

    /// Stores a departure with the next transaction, because the store failed.
    func owe(_ departure: Departure) {
        var departure = departure
        departure.upTo = state.lastRegistered
        state.owe([departure])
    }

    /// Stores a departure with its account, the number of the event that others have to act on, and the remaining work,
    /// if this process is to do it; `nil` if the account is gone.
    func write(
        _ departure: Departure,
        _ transaction: any AccountTransaction
    ) throws -> (identity: Identity, number: Int64, left: AccountRecord?)? {
        // An alias that departs in one process does not affect its account.
        let isAsked = departure.status == .removed
        let identity = try departure.name.map { try Self.resolved($0, transaction) } ?? departure.identity
        let record = try transaction.account(identity)
        if let lease = departure.lease, record?.lease != lease { return nil }
        // It is being wiped, which other processes may not know yet.
        if record?.stage == .wiping {
            return isAsked ? (identity, record?.life ?? 0, nil) : nil
        }
        let isBack = record.map { $0.isRegistered && $0.life > departure.upTo } ?? false
        switch departure.status {
        case .removed:
            // Others may not know an account that is revoked here but not registered. An account that is back is not wiped.
            let left = record ?? AccountRecord(identity)
            let wiping = departure.wiping && !isBack
            let work = try part(left, .removed, departure.reason, wiping, tells: departure.tells, transaction)
            return (identity, try transaction.lastEvent(), work)
        case .deregistered:
            guard let record, record.isRegistered, !isBack else { return nil }
            // An account that was never enrolled loses its registration only when it is signed out.
            if record.stage == .registered, !departure.isSignedOut { return nil }
            return (identity, 0, try part(record, .deregistered, departure.reason, false, transaction))
        default:
            guard record != nil, !isBack else { return nil }
            return (identity, try note(identity, departure.status, departure.reason, in: transaction), nil)
        }
    }

    /// Stores that an account left, and takes the lease of the remaining work; `nil` if there is none, or if a running
    /// request does it.
    private func part(
        _ record: AccountRecord,
        _ status: AccountEventStatus,
        _ text: String,
        _ wiping: Bool,
        tells: Bool = false,
        _ transaction: any AccountTransaction
    ) throws -> AccountRecord? {
        try hasOthersTried(insteadOf: record, transaction)
        try note(record.identity, status, text, in: transaction)
        var left = AccountRecord(record.identity, wiping ? .wiping : .leaving)
        (left.runs, left.overridesText) = (record.runs, record.overridesText)
        // If an enrolled account is removed from outside, its remover notifies the service.
        left.wasAsked = record.wasAsked && (tells || status != .removed || record.stage != .enrolled)
        // A running request or notification for it ends this in its own lease.
        let isUnderWay = record.stage != .enrolled && record.lease != nil
        if wiping {
            if !status.revokes { try note(record.identity, .wipeBegan, "its data are being wiped", in: transaction) }
            left.life = try transaction.lastEvent()
            // It keeps its aliases until it is wiped.
            var work = try lease(&left, transaction)
            work.wasAsked = left.wasAsked && !isUnderWay
            return work
        }
        try transaction.remove(record.identity)
        if !left.wasAsked { return nil }
        if isUnderWay {
            (left.due, left.lease) = (record.due, record.lease)
            try transaction.put(left)
            return nil
        }
        return try lease(&left, transaction)
    }

    /// Makes the other accounts retry in a day if the enrolled one has left.
    private func hasOthersTried(insteadOf record: AccountRecord, _ transaction: any AccountTransaction) throws {
        guard accounts.mode.managesOne, record.stage == .enrolled else { return }
        for var other in try transaction.accounts(.registered) where other.lease == nil {
            other.due = try time.next(of: other, transaction)
            try transaction.put(other)
        }
    }
}
