import MultiIdentity

// Waits and idle resources that grow too old. Each has its own limit for the whole pool, so that what came first ends first,
// and one task sleeps until then; it is nobody's, holds the ledger weakly, and ends when nothing is left to watch.
extension LeaseLedger {
    /// Has waits end at their deadlines.
    func watchWaits() {
        guard limits.wait != nil else { return }
        let isNew = state.withLock { state in
            defer { state.watchesWaits = state.watchesWaits || !state.expiring.isEmpty }
            return !state.watchesWaits && !state.expiring.isEmpty
        }
        if isNew { keepTime { $0.endWaits() } }
    }

    /// Has resources closed that are idle for too long.
    func watchIdle() {
        guard limits.idle != nil else { return }
        let isNew = state.withLock { state in
            defer { state.watchesIdle = state.watchesIdle || !state.idle.isEmpty }
            return !state.watchesIdle && !state.idle.isEmpty
        }
        if isNew { keepTime { $0.closeIdle() } }
    }

    /// Calls `look` at the moments that it returns, until it returns none.
    private func keepTime(_ look: @escaping @Sendable (LeaseLedger) -> Duration?) {
        Task.detached { [weak self, clock] in
            while let next = self.flatMap(look) { await clock.sleep(until: next) }
        }
    }

    private func endWaits() -> Duration? {
        let now = clock.now()
        let (late, next) = state.withLock { state -> ([LeaseWaiter], Duration?) in
            var late: [LeaseWaiter] = []
            while let first = state.expiring.first {
                if !first.isSettled {
                    guard let deadline = first.deadline, deadline <= now else { return (late, first.deadline) }
                    late.append(first)
                }
                _ = state.expiring.popFirst()
            }
            state.watchesWaits = false
            return (late, nil)
        }
        for waiter in late { cancel(waiter, waitedTooLong(limits.wait ?? .zero)) }
        return next
    }

    private func closeIdle() -> Duration? {
        guard let limit = limits.idle else { return nil }
        let now = clock.now()
        let (old, next) = state.withLock { state -> ([LeaseSlot], Duration?) in
            var old: [LeaseSlot] = []
            while let first = state.idle.first {
                if first.since + limit > now { return (old, first.since + limit) }
                _ = state.idle.popFirst()
                if let slot = state.entries[first.index].slot { old.append(slot) }
            }
            state.watchesIdle = false
            return (old, nil)
        }
        for slot in old { discard(slot) }
        return next
    }

    /// Refuses new callers, sends away those that wait, and closes what is idle; what is leased is closed when it comes back.
    ///
    /// - Returns: How many are leased.
    func shutDown() -> Int {
        let (idle, waiters) = state.withLock { state -> ([LeaseSlot], [LeaseWaiter]) in
            state.isShutDown = true
            let idle = state.idle.removeAll().compactMap { state.entries[$0.index].slot }
            return (idle, state.line.removeAll())
        }
        for waiter in waiters { _ = waiter.settle(.failure(Self.shutDown)) }
        for slot in idle { discard(slot) }
        return state.withLock { $0.open }
    }
}
