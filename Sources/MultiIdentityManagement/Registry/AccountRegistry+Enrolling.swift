import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Makes an account managed in this process, with its configuration in force, and says whether it is.
    func enrollHere(_ record: AccountRecord) -> Bool {
        do throws(AccountsError) {
            configure(record)
            try accounts.enroll(record.identity)
            return true
        } catch {
            state.configure(record.identity, nil)
            return false
        }
    }

    /// Makes an account unmanaged in this process; its policy of the service goes with it.
    func letGoHere(_ identity: Identity) {
        if accounts.enrolledIdentities.contains(identity) {
            // Somebody else can have been faster.
            do throws(AccountsError) { try accounts.unenroll(identity) } catch {}
        }
        state.configure(identity, nil)
        guard let policies else { return }
        policies.change { $0.policies[identity] = nil }
    }

    /// Puts the policies that the service gave for accounts into force, as one.
    func putIntoForce(_ records: [AccountRecord]) {
        guard let policies else { return }
        var given: [(Identity, Policy)] = []
        for record in records {
            if let text = record.policyText, let policy = Self.policy(of: record.identity, in: text) {
                given.append((record.identity, policy))
            }
        }
        if given.isEmpty { return }
        policies.change { [given] set in for (identity, policy) in given { set.policies[identity] = policy } }
    }

    /// The policy of an account in the text that a service gave; `nil` where it has none, or is none.
    static func policy(of identity: Identity, in text: String) -> Policy? {
        do throws(PolicyTextError) { return try PolicySet(json: text.utf8).policy(of: identity) } catch { return nil }
    }

    /// The account that a name belongs to.
    static func resolved(
        _ name: Identity,
        _ transaction: any AccountTransaction
    ) throws(AccountStoreError) -> Identity {
        try transaction.account(ofAlias: name) ?? name
    }

    /// Takes note that an account left the process's accounts by itself: it was signed out, or its wipe is complete.
    func hasLeft(_ identity: Identity) {
        // Where another process's removal is followed, or it is here again already, nobody has signed it out.
        if state.hasEnded || state.removals.isRemoving(identity) { return }
        if accounts.enrolledIdentities.contains(identity) { return }
        depart(Departure(identity, .deregistered, "signed out or wiped")) {
            letGoHere(identity)
        }
    }

    /// Has the other processes revoke an account that the program wipes by itself; the registry's own wipes are known.
    func isBeingWiped(_ identity: Identity) {
        if state.hasEnded { return }
        depart(Departure(identity, .wipeBegan, "its data are being wiped")) {}
    }

    private func depart(_ departure: Departure, _ hadIt: () -> Void) {
        do throws(AccountStoreError) {
            let written = try changing { (transaction) throws(AccountStoreError) in try write(departure, transaction) }
            guard let written else { return }
            hadIt()
            tellEvents()
            if let left = written.left { requestInBackground(left) }
        } catch {
            // It is revoked here, and written down with the next transaction.
            owe(departure)
        }
    }

    /// Has the others try again in a day where the one that was enrolled has left.
    func hasOthersTried(
        insteadOf record: AccountRecord,
        _ transaction: any AccountTransaction
    ) throws(AccountStoreError) {
        guard accounts.mode.managesOne, record.stage == .enrolled else { return }
        for var other in try transaction.accounts(.registered) where other.lease == nil {
            other.due = time.next(after: AccountRegistryOptions.retryInterval, for: other)
            try transaction.put(other)
        }
    }
}
