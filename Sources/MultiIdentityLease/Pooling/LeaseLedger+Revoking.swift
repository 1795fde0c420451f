import MultiIdentity

extension LeaseLedger {
    /// Marks each lease of an identity, interrupts what runs on it, and sends away who waits as that identity.
    func revoke(_ identity: Identity) {
        let (leased, waiters) = state.withLock { state -> ([(slot: LeaseSlot, lease: UInt32)], [LeaseWaiter]) in
            let leased = state.entries.lazy.filter { $0.lessee?.involves(identity) == true }.compactMap(\.slot)
            return (leased.map { ($0, $0.openLease) }, state.line.removeAll(of: identity))
        }
        // Odd while a lease is open: one that is being made or ended looks itself whether it may go on.
        for (slot, lease) in leased where lease % 2 == 1 { if slot.revoke(lease) { leave(slot) } }
        for waiter in waiters {
            let error: any Error
            do {
                try IdentityRevocation.admit(identity)
                // Readmitted since: the wait belongs to the life that ended.
                error = LeaseError(.ended, "\(identity) was revoked during this wait. Ask for another lease.")
            } catch let refusal {
                error = refusal
            }
            if !waiter.settle(.failure(error)) { state.withLock { $0.line.takenWasGone() } }
        }
    }
}
