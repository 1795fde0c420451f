import MultiIdentity

extension LeaseLedger {
    /// Refuses new callers, turns away those that wait, and closes idle resources.
    ///
    /// Leased resources are closed when they come back.
    ///
    /// - Returns: The number of leased resources.
    func shutDown() -> Int {
        let (idle, waiters) = state.withLock { state -> ([LeaseSlot], [LeaseWaiter]) in
            state.isShutDown = true
            defer { state.idle = [] }
            let waiters = state.line.removeAll()
            for waiter in waiters { state.settled(waiter) }
            return (state.idle.compactMap { state.entries[$0].slot }, waiters)
        }
        for waiter in waiters { waiter.claim(.failure(Refusal.shutDown.error))?() }
        for slot in idle { discard(slot, .shutDown) }
        arm()
        return state.withLock { $0.open }
    }

    /// Waits until no resource is open.
    nonisolated(nonsending) func drain(within limit: Duration) async throws {
        let nobody = LeaseRequest(lessee: .nobody, holder: 0, place: LeasePlace("", 0))
        let waiter = LeaseWaiter(nobody, until: clock.now() + limit)
        let isOver = state.withLock { state in
            if state.open == 0 { return true }
            state.drainers.append(waiter)
            state.expire(waiter)
            return false
        }
        if isOver { return }
        arm(for: waiter.deadline)
        do { _ = try await granted(waiter) } catch let error as LeaseError where error.code == .timedOut {
            throw stillLeased(limit)
        }
    }

    /// Stops leasing the open resources: closes idle ones now, and leased ones when they come back.
    func evict() {
        let idle = state.withLock { state in
            for index in state.entries.indices {
                state.entries[index].isRetired = true
                state.entries[index].slot?.retire()
            }
            return state.takeRetired()
        }
        for slot in idle { discard(slot, .retired) }
    }

    /// Closes idle resources, since others that were idle turned out to be dead.
    func evictIdle() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle.compactMap { state.entries[$0].slot }
        }
        for slot in idle { discard(slot, .dead) }
    }
}
