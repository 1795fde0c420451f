import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
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
        // Where another one's removal is followed, or it is here again already, nobody has signed it out.
        if state.hasEnded || state.removals.isRemoving(identity) { return }
        if accounts.isEnrolled(identity) { return }
        depart(Departure(identity, .deregistered, "signed out or wiped"))
    }

    /// Has the other processes revoke an account that the program wipes by itself; the registry's own wipes are known.
    func isBeingWiped(_ identity: Identity) {
        if state.hasEnded { return }
        depart(Departure(identity, .wipeBegan, "its data are being wiped"))
    }

    private func depart(_ departure: Departure) {
        do throws(AccountStoreError) {
            let written = try changing { (transaction) throws(AccountStoreError) in try write(departure, transaction) }
            guard let written else { return }
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
