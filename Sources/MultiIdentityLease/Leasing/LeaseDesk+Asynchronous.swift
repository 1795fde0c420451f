import MultiIdentity

extension LeaseDesk {
    /// Checks out a resource at once if one is idle and there is nothing to wait for; otherwise returns `nil`.
    @usableFromInline
    func checkOutAtOnce(_ place: LeasePlace) throws -> LeaseTurn? {
        guard case .synchronous = steps, !ledger.isWatched else { return nil }
        let lessee = try lessee()
        let request = LeaseRequest(lessee: lessee.owner.identity, holder: Lessee.holder, place: place)
        guard let slot = ledger.takeIdle(for: request) else { return nil }
        return try bound(slot, for: lessee, orNone: true)
    }

    /// Checks out a resource, and waits for it without blocking.
    @usableFromInline
    nonisolated(nonsending) func checkOutWaiting(_ place: LeasePlace) async throws -> LeaseTurn {
        let lessee = try lessee()
        let request = LeaseRequest(lessee: lessee.owner.identity, holder: Lessee.holder, place: place)
        // Before a resource is opened or waited for.
        try lessee.owner.admit()
        var attempt = Attempt(self)
        do {
            while true {
                attempt.begin()
                let (slot, isIdle) = try await slot(for: request, attempt)
                if isIdle, try await isDead(slot, request, attempt) { continue }
                if let turn = try await boundWaiting(
                    slot,
                    for: lessee,
                    request,
                    attempt,
                    orNone: isIdle && !attempt.isLast
                ) {
                    attempt.succeeded()
                    return turn
                }
            }
        } catch {
            throw attempt.failed(error)
        }
    }

    private nonisolated(nonsending) func slot(
        for request: LeaseRequest,
        _ attempt: Attempt
    ) async throws -> (LeaseSlot, isIdle: Bool) {
        let waiter = LeaseWaiter(request, until: attempt.deadline)
        let taken = try ledger.take(waiter)
        let grant = if let taken { taken } else { try await ledger.granted(waiter) }
        switch grant {
        case .slot(let slot): return (slot, true)
        case .done: throw Refusal.shutDown.error
        case .place(let index):
            switch making {
            case .synchronous(let make): return (try opened(at: index, for: request, attempt, make), false)
            case .pooled: return (try await ledger.opened(at: index, request, until: attempt.deadline), false)
            case .asynchronous(let make):
                do {
                    let made = try await withIdentity(.nobody) { try await make(request.lessee) }
                    return (ledger.fill(index, with: made, since: .zero), false)
                } catch {
                    ledger.vacate(index)
                    throw error
                }
            }
        }
    }

    private nonisolated(nonsending) func isDead(
        _ slot: LeaseSlot,
        _ request: LeaseRequest,
        _ attempt: Attempt
    ) async throws -> Bool {
        switch ledger.check(of: slot) {
        case nil: return false
        case .synchronous(let isAlive): return try isDead(slot, attempt, (try? isAlive(slot)) == true)
        case .asynchronous(let isAlive):
            let isAlive = try? await limited(slot, request, until: attempt.deadline) { try await isAlive($0) }
            return try isDead(slot, attempt, isAlive == true)
        }
    }

    private nonisolated(nonsending) func boundWaiting(
        _ slot: LeaseSlot,
        for lessee: OwnerHere,
        _ request: LeaseRequest,
        _ attempt: Attempt,
        orNone: Bool
    ) async throws -> LeaseTurn? {
        guard case .asynchronous(let bind, _, _) = steps else { return try bound(slot, for: lessee, orNone: orNone) }
        let turn = turn(of: slot, for: lessee)
        try admit(turn)
        do {
            try await limited(slot, request, until: attempt.deadline) { try await bind($0, lessee.owner.identity) }
            // After a cancellation the resource may be half bound, whatever the closure reports.
            if Lessee.isCancelled { throw CancellationError() }
        } catch {
            if closeHalfBound(turn, error) == .bindingFailed, orNone, !attempt.isLate { return nil }
            throw error
        }
        return turn
    }

    /// Runs a step of the pool on a resource until a deadline.
    ///
    /// Then the step is interrupted and cancelled, and the resource is closed once it has ended.
    private nonisolated(nonsending) func limited<Value: Sendable>(
        _ slot: LeaseSlot,
        _ request: LeaseRequest,
        until deadline: Duration?,
        _ step: @escaping @Sendable (LeaseSlot) async throws -> Value
    ) async throws -> Value {
        guard let deadline else { return try await step(slot) }
        let waiter = LeaseWaiter(request, until: deadline)
        let outcome = Locked<Result<Value, any Error>?>(nil)
        slot.hold()
        let task = Task { [ledger] in
            let result: Result<Value, any Error>
            do {
                let value = try await step(slot)
                // A cancelled step may be half done, whatever the closure reports.
                try Task.checkCancellation()
                result = .success(value)
            } catch {
                result = .failure(error)
            }
            outcome.withLock { $0 = result }
            // Leaves before the wait ends, since the next lessee's work is not part of this use.
            ledger.leave(slot)
            ledger.finish(waiter)
        }
        ledger.begin(waiter)
        do {
            _ = try await withTaskCancellationHandler {
                try await waiter.granted()
            } onCancel: {
                task.cancel()
            }
        } catch {
            slot.interruptHeld()
            ledger.leave(slot)
            task.cancel()
            throw error
        }
        guard let result = outcome.withLock({ $0 }) else { throw Refusal.shutDown.error }
        return try result.get()
    }

    /// Returns whether an error means that the lessee's task or the step itself was cancelled.
    func isCancelled(_ error: any Error) -> Bool { Lessee.isCancelled || error is CancellationError }

    /// True if a resource can be taken back without waiting.
    @usableFromInline
    var checksInAtOnce: Bool { if case .synchronous = steps { true } else { false } }

    /// Takes a resource back, clean or closed.
    @usableFromInline
    nonisolated(nonsending) func checkInWaiting(_ turn: LeaseTurn, _ ending: Ending) async {
        guard case .asynchronous(_, let clear, let verify) = steps else { return checkIn(turn, ending) }
        if let reason = end(turn, ending) { return close(turn, reason) }
        let request = LeaseRequest(lessee: turn.lessee, holder: Lessee.holder, place: LeasePlace("", 0))
        let deadline = ledger.limits.waitTimeout.map { clock.now() + $0 }
        do { try await limited(turn.slot, request, until: deadline, clear) } catch {
            return close(turn, isCancelled(error) ? .cancelled : .clearingFailed)
        }
        if let verify, verifies(turn, ending) {
            do {
                let found = try await limited(turn.slot, request, until: deadline, verify)
                if let found, !found.isNobody { return close(turn, .notClean(found)) }
            } catch {
                return close(turn, isCancelled(error) ? .cancelled : .verificationFailed)
            }
        }
        // A cancelled closure may be half done without reporting it.
        if Lessee.isCancelled { return close(turn, .cancelled) }
        giveBack(turn.slot)
    }
}
