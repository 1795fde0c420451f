import MultiIdentity
import Synchronization

// A task of the pool opens resources that take time to open, as nobody. If the waiter gives up, the resource serves the next waiter or
// becomes idle.
extension LeaseLedger {
    /// Starts opening a resource in a place, and waits for it.
    nonisolated(nonsending) func opened(at index: Int, _ request: LeaseRequest, until deadline: Duration?) async throws
        -> LeaseSlot
    {
        let waiter = LeaseWaiter(request, until: deadline)
        state.withLock { state in
            waiter.placeOpened.store(index, ordering: .relaxed)
            state.entries[index].waiter = waiter
            state.expire(waiter)
        }
        arm(for: deadline)
        open(index)
        guard case .slot(let slot) = try await granted(waiter) else { throw Refusal.shutDown.error }
        return slot
    }

    /// Limits a waiter's wait for a step of the pool to its deadline.
    func begin(_ waiter: LeaseWaiter) {
        // The wait may be over by now.
        state.withLock { if !waiter.isSettled { $0.expire(waiter) } }
        arm(for: waiter.deadline)
    }

    /// Ends the wait for a step.
    func finish(_ waiter: LeaseWaiter) {
        let (wakeUp, isLast) = state.withLock { state -> (LeaseWaiter.WakeUp?, Bool) in
            state.settled(waiter)
            return (waiter.claim(.success(.done)), state.expiring.isEmpty)
        }
        wakeUp?()
        if isLast { arm() }
    }

    /// Returns the check that a resource needs before its next use; `nil` if it was used recently.
    func check(of slot: LeaseSlot) -> LivenessCheck? {
        guard let liveness else { return nil }
        let now = clock.now()
        return state.withLock { now - $0.entries[slot.index].restedAt >= limits.aliveCheck } ? liveness : nil
    }

    /// Waits until a waiter is settled; a waiter whose task is cancelled gives up.
    nonisolated(nonsending) func granted(_ waiter: LeaseWaiter) async throws -> LeaseGrant {
        try await withTaskCancellationHandler {
            try await waiter.granted()
        } onCancel: {
            cancel(waiter, CancellationError())
        }
    }

    private func open(_ index: Int) {
        guard let opener else { return }
        Task.detached { [weak self, clock] in
            let start = clock.now()
            do {
                let made = try await withIdentity(.nobody) { try await opener() }
                guard let self else { return made.close() }
                handOver(fill(index, with: made, since: start))
            } catch {
                self?.openingFailed(index, error, since: start)
            }
        }
    }

    /// Puts a new resource into its place.
    func fill(_ index: Int, with made: MadeResource, since start: Duration) -> LeaseSlot {
        let slot = LeaseSlot(made, at: index)
        let now = opener == nil ? .zero : clock.now()
        let wakeUps = state.withLock { state in
            state.opened(slot, now, limits)
            if opener != nil { state.entries[index].began = Entry.Mark(lease: state.entries[index].lease, moment: now) }
            return state.backoff.succeeded() ? state.grantPlaces(now, limits) : []
        }
        for wakeUp in wakeUps { wakeUp() }
        observer?(.opened(after: now - start))
        if opener != nil {
            fillIdle()
            arm()
        }
        return slot
    }

    /// Gives a new resource to the waiter it was opened for, or else to the next in line.
    private func handOver(_ slot: LeaseSlot) {
        let wakeUp = state.withLock { state -> LeaseWaiter.WakeUp? in
            guard let waiter = state.entries[slot.index].waiter else { return nil }
            state.entries[slot.index].waiter = nil
            state.settled(waiter)
            return waiter.claim(.success(.slot(slot)))
        }
        if let wakeUp { wakeUp() } else { release(slot) }
        arm()
    }

    /// Frees the place of a resource that could not be opened, and blocks further attempts for a while.
    func openingFailed(_ index: Int, _ error: any Error, since start: Duration) {
        let now = clock.now()
        let wakeUp = state.withLock { state -> LeaseWaiter.WakeUp? in
            state.backoff.failed(error, now, limits)
            guard let waiter = state.entries[index].waiter else { return nil }
            state.gaveUp(waiter)
            return waiter.claim(.failure(error))
        }
        wakeUp?()
        observer?(.openingFailed(error, after: now - start))
        vacate(index)
    }

    /// Opens idle resources up to the minimum.
    func fillIdle() {
        if limits.minIdle == 0 { return }
        let now = clock.now()
        let places = state.withLock { state -> [Int] in
            var places: [Int] = []
            while state.idle.count + state.filling < limits.minIdle, let index = state.reserve(for: nil, now, limits) {
                places.append(index)
            }
            return places
        }
        for index in places { open(index) }
    }
}
