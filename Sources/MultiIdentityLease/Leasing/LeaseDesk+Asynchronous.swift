import MultiIdentity

extension LeaseDesk {
    /// Checks a resource out at once, where one is idle and nothing has to be waited for; else `nil`.
    @usableFromInline
    func checkOutAtOnce() throws -> LeaseTurn? {
        guard case .synchronous = steps else { return nil }
        let owner = try lessee()
        guard let slot = ledger.takeIdle(for: owner.identity, Lessee.holder) else { return nil }
        return try bound(slot, for: owner)
    }

    /// Checks a resource out, and waits for it without blocking.
    @usableFromInline
    nonisolated(nonsending) func checkOutWaiting() async throws -> LeaseTurn {
        let (owner, holder) = (try lessee(), Lessee.holder)
        let lessee = owner.identity
        // Before anything is opened, or waited for.
        try owner.admit()
        let grant: LeaseGrant
        if let taken = try ledger.take(for: lessee, holder) {
            grant = taken
        } else {
            let waiter = LeaseWaiter(lessee, holder, until: ledger.limits.wait.map { clock.now() + $0 })
            grant = try await withTaskCancellationHandler {
                try ledger.enqueue(waiter)
                return try await waiter.granted()
            } onCancel: {
                ledger.cancel(waiter, CancellationError())
            }
        }
        let slot = try await slot(of: grant, for: lessee)
        switch steps {
        case .synchronous: return try bound(slot, for: owner)
        case .asynchronous(let bind, _, _):
            let turn = turn(of: slot, for: owner)
            try admit(turn)
            do {
                try await bind(slot, lessee)
                // What was cancelled meanwhile may be half bound, whatever the closure says.
                if Lessee.isCancelled { throw CancellationError() }
            } catch {
                closeHalfBound(turn)
                throw error
            }
            return turn
        }
    }

    private nonisolated(nonsending) func slot(of grant: LeaseGrant, for lessee: Identity) async throws -> LeaseSlot {
        switch grant {
        case .slot(let slot): return slot
        case .place(let index):
            do {
                let made: MadeResource
                switch making {
                case .synchronous(let make): made = try withIdentity(.nobody) { try make(lessee) }
                case .asynchronous(let make): made = try await withIdentity(.nobody) { try await make(lessee) }
                }
                return ledger.fill(index, with: made)
            } catch {
                ledger.vacate(index)
                throw error
            }
        }
    }

    /// True if a resource can be taken back without waiting.
    @usableFromInline
    var checksInAtOnce: Bool { if case .synchronous = steps { true } else { false } }

    /// Takes a resource back: clean, or closed.
    @usableFromInline
    nonisolated(nonsending) func checkInWaiting(_ turn: LeaseTurn, _ ending: Ending) async {
        let (slot, lessee) = (turn.slot, turn.lessee)
        guard case .asynchronous(_, let clear, let verify) = steps else { return checkIn(turn, ending) }
        if let reason = end(turn, ending) { return close(slot, lessee, reason) }
        do { try await clear(slot) } catch { return close(slot, lessee, .clearingFailed) }
        if let verify, verifies(turn, ending) {
            do {
                if let found = try await verify(slot), !found.isNobody { return close(slot, lessee, .notClean(found)) }
            } catch {
                return close(slot, lessee, .verifyingFailed)
            }
        }
        // A cancelled closure may have done half of its work and said nothing.
        if Lessee.isCancelled { return close(slot, lessee, .cancelled) }
        giveBack(slot)
    }
}
