import MultiIdentity

// Leases of synchronous code; and of asynchronous code, where nothing has to be waited for.
extension LeaseDesk {
    /// Checks a resource out, and waits for it on this thread.
    @usableFromInline
    func checkOut() throws -> LeaseTurn {
        let (owner, holder) = (try lessee(), Lessee.holder)
        let lessee = owner.identity
        if let slot = ledger.takeIdle(for: lessee, holder) { return try bound(slot, for: owner) }
        // Before anything is opened, or waited for.
        try owner.admit()
        let grant: LeaseGrant
        if let taken = try ledger.take(for: lessee, holder) {
            grant = taken
        } else {
            let limit = ledger.limits.wait
            let waiter = LeaseWaiter(lessee, holder, until: nil)
            try ledger.enqueue(waiter)
            if let granted = try waiter.grantedBlocking(within: limit) {
                grant = granted
            } else {
                ledger.cancel(waiter, ledger.waitedTooLong(limit ?? .zero))
                // Thrown, unless the grant came in between.
                guard let granted = try waiter.grantedBlocking(within: .zero) else {
                    throw ledger.waitedTooLong(limit ?? .zero)
                }
                grant = granted
            }
        }
        return try bound(slot(of: grant, for: lessee), for: owner)
    }

    /// Opens a resource where the grant is a free place.
    private func slot(of grant: LeaseGrant, for lessee: Identity) throws -> LeaseSlot {
        switch grant {
        case .slot(let slot): return slot
        case .place(let index):
            do {
                guard case .synchronous(let make) = making else { throw Self.needsAsynchronousCode }
                return ledger.fill(index, with: try withIdentity(.nobody) { try make(lessee) })
            } catch {
                ledger.vacate(index)
                throw error
            }
        }
    }

    /// Binds the lessee, who sees the resource only then.
    func bound(_ slot: LeaseSlot, for owner: WorkOwner) throws -> LeaseTurn {
        guard case .synchronous(let bind, _, _) = steps else {
            giveBack(slot)
            throw Self.needsAsynchronousCode
        }
        let turn = turn(of: slot, for: owner)
        try admit(turn)
        do {
            try bind(slot, owner.identity)
            // What was cancelled meanwhile may be half bound, whatever the closure says.
            if Lessee.isCancelled { throw CancellationError() }
        } catch {
            closeHalfBound(turn)
            throw error
        }
        return turn
    }

    /// Asks once more whether the lessee may work, now that a revocation finds the lease; what is not bound yet goes back.
    func admit(_ turn: LeaseTurn) throws {
        do {
            try turn.owner.admit()
            if Lessee.isCancelled { throw CancellationError() }
        } catch {
            let (standing, _) = turn.slot.end(turn.lease)
            if standing == .open { giveBack(turn.slot) } else { close(turn.slot, turn.lessee, .revoked) }
            throw error
        }
    }

    /// Closes what is half bound.
    func closeHalfBound(_ turn: LeaseTurn) {
        let (standing, _) = turn.slot.end(turn.lease)
        let reason: LeaseClosing.Reason =
            standing == .revoked ? .revoked : Lessee.isCancelled ? .cancelled : .bindingFailed
        close(turn.slot, turn.lessee, reason)
    }

    /// Takes a resource back: clean, or closed.
    @usableFromInline
    func checkIn(_ turn: LeaseTurn, _ ending: Ending) {
        let (slot, lessee) = (turn.slot, turn.lessee)
        if let reason = end(turn, ending) { return close(slot, lessee, reason) }
        guard case .synchronous(_, let clear, let verify) = steps else { return close(slot, lessee, .clearingFailed) }
        do { try clear(slot) } catch { return close(slot, lessee, .clearingFailed) }
        if let verify, verifies(turn, ending) {
            do {
                if let found = try verify(slot), !found.isNobody { return close(slot, lessee, .notClean(found)) }
            } catch {
                return close(slot, lessee, .verifyingFailed)
            }
        }
        // A cancelled closure may have done half of its work and said nothing.
        if Lessee.isCancelled { return close(slot, lessee, .cancelled) }
        giveBack(slot)
    }
}
