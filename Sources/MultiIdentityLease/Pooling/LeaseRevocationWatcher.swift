import MultiIdentity

/// Ends the leases and waits of whoever is revoked; one for each ledger, so that a lease by itself registers nothing.
final class LeaseRevocationWatcher: RevocationWatcher {
    private struct State {
        weak var ledger: LeaseLedger?
        var revoked: [Identity] = []
    }

    private let state = Locked(State())

    func watch(_ ledger: LeaseLedger) {
        state.withLock { $0.ledger = ledger }
        IdentityRevocation.watch(self)
    }

    func stop() { IdentityRevocation.unwatch(self) }

    func note(_ event: RevocationEvent) {
        guard case .revoked(let identity, _) = event else { return }
        state.withLock { $0.revoked.append(identity) }
    }

    func tell() {
        let (ledger, revoked) = state.withLock { state -> (LeaseLedger?, [Identity]) in
            defer { state.revoked = [] }
            return (state.ledger, state.revoked)
        }
        for identity in revoked { ledger?.revoke(identity) }
    }
}

extension LeaseLedger {
    /// Marks each lease of an identity, interrupts what runs on it, and sends away who waits as that identity.
    func revoke(_ identity: Identity) {
        let (leased, waiters) = state.withLock { state -> ([(slot: LeaseSlot, lease: UInt32)], [LeaseWaiter]) in
            let leased = state.entries.lazy.filter { $0.lessee == identity }.compactMap(\.slot)
            return (leased.map { ($0, $0.openLease) }, state.line.removeAll(of: identity))
        }
        // Odd while a lease is open: one that is being made or ended looks itself whether it may go on.
        for (slot, lease) in leased where lease % 2 == 1 { _ = slot.revoke(lease) }
        for waiter in waiters {
            do {
                try IdentityRevocation.admit(identity)
            } catch {
                if waiter.settle(.failure(error)) { continue }
            }
            state.withLock { $0.line.takenWasGone() }
        }
    }
}
