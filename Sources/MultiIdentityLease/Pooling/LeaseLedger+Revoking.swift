import MultiIdentity

extension LeaseLedger {
    /// Marks each lease of an identity, interrupts what runs on its resource, and turns away callers that wait as that identity.
    func revoke(_ identity: Identity) {
        let (leased, waiters) = state.withLock { state -> ([(slot: LeaseSlot, lease: UInt32)], [LeaseWaiter]) in
            let entries = state.entries.filter { $0.lessee?.involves(identity) == true }
            let waiters = state.line.removeAll(involving: identity) + entries.compactMap(\.waiter)
            for waiter in waiters { state.gaveUp(waiter) }
            return (entries.compactMap(\.slot).map { ($0, $0.openLease) }, waiters)
        }
        // The number is odd while a lease is open. A lease that is beginning or ending checks for the revocation itself.
        for (slot, lease) in leased where lease % 2 == 1 { if slot.revoke(lease) { leave(slot) } }
        if waiters.isEmpty { return }
        let error: any Error
        do {
            try IdentityRevocation.admit(identity)
            // The identity was readmitted meanwhile, but the wait belongs to the life that ended.
            error = LeaseError(.ended, "\(identity) was revoked during this wait. Ask for another lease.")
        } catch let refusal {
            error = refusal
        }
        for waiter in waiters { waiter.claim(.failure(error))?() }
        arm()
    }
}
