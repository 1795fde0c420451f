import MultiIdentity

// Leases of synchronous code, and of asynchronous code when there is nothing to wait for.
extension LeaseDesk {
    /// Checks out a resource, and waits for it on this thread.
    @usableFromInline
    func checkOut(_ place: LeasePlace) throws -> LeaseTurn {
        let lessee = try lessee()
        let request = LeaseRequest(lessee: lessee.owner.identity, holder: Lessee.holder, place: place)
        guard !ledger.isWatched, let slot = ledger.takeIdle(for: request) else {
            return try checkOutInTurn(lessee, request)
        }
        return try bound(slot, for: lessee, orNone: true) ?? checkOutInTurn(self.lessee(), request)
    }

    @inline(never)
    private func checkOutInTurn(_ lessee: OwnerHere, _ request: LeaseRequest) throws -> LeaseTurn {
        // Before a resource is opened or waited for.
        try lessee.owner.admit()
        var attempt = Attempt(self)
        do {
            while true {
                let (slot, isIdle) = try slot(of: grant(to: request, &attempt), for: request, attempt)
                if isIdle, try isDead(slot, attempt) { continue }
                if let turn = try bound(slot, for: lessee, orNone: isIdle && !attempt.isLast) {
                    attempt.succeeded()
                    return turn
                }
            }
        } catch {
            throw attempt.failed(error)
        }
    }

    private func grant(to request: LeaseRequest, _ attempt: inout Attempt) throws -> LeaseGrant {
        attempt.begin()
        // The timeout runs on this thread: the ledger's task may find no thread to run on.
        let waiter = LeaseWaiter(request, until: nil)
        if let grant = try ledger.take(waiter) { return grant }
        if let granted = try waiter.grantedBlocking(within: attempt.deadline.map { $0 - clock.now() }) {
            return granted
        }
        ledger.cancel(waiter, ledger.timedOut())
        // This throws, unless the grant came in between.
        guard let granted = try waiter.grantedBlocking(within: .zero) else { throw ledger.timedOut() }
        return granted
    }

    /// Opens a resource if the grant is a free place.
    private func slot(of grant: LeaseGrant, for request: LeaseRequest, _ attempt: Attempt) throws -> (
        LeaseSlot, isIdle: Bool
    ) {
        switch grant {
        case .slot(let slot): return (slot, true)
        case .done: throw Refusal.shutDown.error
        case .place(let index):
            guard case .synchronous(let make) = making else {
                ledger.vacate(index)
                throw Self.requiresAsync
            }
            return (try opened(at: index, for: request, attempt, make), false)
        }
    }

    /// Opens a resource on this thread.
    func opened(
        at index: Int,
        for request: LeaseRequest,
        _ attempt: Attempt,
        _ make: (Identity) throws -> MadeResource
    ) throws -> LeaseSlot {
        let start = ledger.opener == nil ? .zero : clock.now()
        let slot: LeaseSlot
        do {
            slot = ledger.fill(index, with: try withIdentity(.nobody) { try make(request.lessee) }, since: start)
        } catch {
            ledger.openingFailed(index, error, since: start)
            throw error
        }
        if attempt.isLate {
            giveBack(slot)
            throw ledger.timedOut()
        }
        return slot
    }

    private func isDead(_ slot: LeaseSlot, _ attempt: Attempt) throws -> Bool {
        guard case .synchronous(let isAlive) = ledger.check(of: slot) else { return false }
        return try isDead(slot, attempt, (try? isAlive(slot)) == true)
    }

    /// Closes a dead resource, and throws if this was the last attempt.
    func isDead(_ slot: LeaseSlot, _ attempt: Attempt, _ isAlive: Bool) throws -> Bool {
        if isAlive { return false }
        ledger.discard(slot, .dead)
        if Lessee.isCancelled { throw CancellationError() }
        if attempt.isLast { throw Self.dead }
        return true
    }

    /// Binds the lessee, who sees the resource only then.
    ///
    /// Returns `nil` if that fails and the caller can take another resource.
    func bound(_ slot: LeaseSlot, for lessee: consuming OwnerHere, orNone: Bool) throws -> LeaseTurn? {
        guard case .synchronous(let bind, _, _) = steps else {
            giveBack(slot)
            throw Self.requiresAsync
        }
        let turn = turn(of: slot, for: lessee)
        try admit(turn)
        do {
            try bind(slot, turn.lessee)
            // After a cancellation the resource may be half bound, whatever the closure reports.
            if Lessee.isCancelled { throw CancellationError() }
        } catch {
            if closeHalfBound(turn, error) == .bindingFailed, orNone { return nil }
            throw error
        }
        return turn
    }

    /// Checks again whether the lessee may work, now that a revocation finds the lease; returns a resource that is not bound yet.
    func admit(_ turn: LeaseTurn) throws {
        do {
            try turn.owner.admit()
            if Lessee.isCancelled { throw CancellationError() }
        } catch {
            let (standing, _) = turn.slot.end(turn.lease)
            if standing == .open { giveBack(turn.slot) } else { close(turn, .revoked) }
            throw error
        }
    }

    /// Closes a half-bound resource, and returns the reason.
    func closeHalfBound(_ turn: LeaseTurn, _ error: any Error) -> LeaseClosing.Reason {
        let (standing, _) = turn.slot.end(turn.lease)
        let reason: LeaseClosing.Reason =
            standing == .revoked ? .revoked : isCancelled(error) ? .cancelled : .bindingFailed
        close(turn, reason)
        return reason
    }

    /// Takes a resource back, clean or closed.
    @usableFromInline
    func checkIn(_ turn: LeaseTurn, _ ending: Ending) {
        if let reason = end(turn, ending) { return close(turn, reason) }
        guard case .synchronous(_, let clear, let verify) = steps else { return close(turn, .clearingFailed) }
        do { try clear(turn.slot) } catch { return close(turn, .clearingFailed) }
        if let verify, verifies(turn, ending) {
            do {
                if let found = try verify(turn.slot), !found.isNobody { return close(turn, .notClean(found)) }
            } catch {
                return close(turn, .verificationFailed)
            }
        }
        // A cancelled closure may be half done without reporting it.
        if Lessee.isCancelled { return close(turn, .cancelled) }
        giveBack(turn.slot)
    }
}
