import MultiIdentity

// Everything with a deadline: waits, idle and old resources, overdue leases, and places that may be opened again.
// One task of the pool sleeps until the next deadline, if there is one. It runs as nobody and keeps only a weak reference to the
// ledger.
extension LeaseLedger {
    /// The sleeping task.
    struct Alarm {
        let number: Int
        let moment: Duration
        var task: Task<Void, Never>?
    }

    /// Everything that is due.
    fileprivate struct Due {
        var late: [LeaseWaiter] = []
        var closed: [(slot: LeaseSlot, reason: PoolEvent.ClosingReason)] = []
        var overdue: [(slot: LeaseSlot, lease: UInt32)] = []
        var leaked: [LeaseHolder] = []
        var granted: [LeaseWaiter.WakeUp] = []
        var report: PoolReport?
    }

    /// Starts a task that sleeps until the next deadline, or none if there is no deadline.
    ///
    /// - Parameter moment: The only deadline that was added; `nil` if others changed.
    func arm(for moment: Duration? = nil) {
        let (old, new) = state.withLock { state -> (Task<Void, Never>?, Alarm?) in
            if let moment, let alarm = state.alarm, alarm.moment <= moment { return (nil, nil) }
            let next = state.nextMoment(limits)
            // An alarm that rings early finds nothing to do, and sets the next one.
            if let alarm = state.alarm, let next, alarm.moment <= next { return (nil, nil) }
            let old = state.alarm?.task
            state.alarms += 1
            state.alarm = next.map { Alarm(number: state.alarms, moment: $0) }
            return (old, state.alarm)
        }
        old?.cancel()
        guard let new else { return }
        let task = Task.detached { [weak self, clock] in
            await clock.sleep(until: new.moment)
            self?.ring(new.number)
        }
        let isOver = state.withLock { state in
            if state.alarm?.number != new.number { return true }
            state.alarm?.task = task
            return false
        }
        if isOver { task.cancel() }
    }

    private func ring(_ number: Int) {
        let now = clock.now()
        let due = state.withLock { state -> Due? in
            guard state.alarm?.number == number else { return nil }
            state.alarm = nil
            return state.due(at: now, limits)
        }
        guard let due else { return }
        if let report = due.report {
            let error = timedOut(report)
            for waiter in due.late { waiter.claim(.failure(error))?() }
        }
        for (slot, reason) in due.closed { discard(slot, reason) }
        for (slot, lease) in due.overdue where slot.interrupt(lease) { leave(slot) }
        for holder in due.leaked { observer?(.leaked(holder)) }
        for wakeUp in due.granted { wakeUp() }
        fillIdle()
        arm()
    }

    /// Interrupts a lease at its deadline.
    func limit(_ slot: LeaseSlot, _ lease: UInt32, until deadline: Duration) {
        state.withLock { $0.entries[slot.index].deadline = Entry.Mark(lease: lease, moment: deadline) }
        arm(for: deadline)
    }
}

extension LeaseLedger.State {
    fileprivate func nextMoment(_ limits: PoolLimits) -> Duration? {
        var next = expiring.first?.deadline
        func consider(_ moment: Duration?) { if let moment { next = min(next ?? moment, moment) } }
        if !line.isEmpty || idle.count + filling < limits.minIdle { consider(backoff.end) }
        consider(nextIdleLook)
        for entry in entries where entry.slot != nil {
            if !entry.isRetired { consider(entry.retiresAt) }
            consider(entry.moment(entry.deadline))
            if let threshold = limits.leakThreshold, entry.leaked != entry.lease {
                consider(entry.moment(entry.began).map { $0 + threshold })
            }
        }
        return next
    }

    fileprivate mutating func due(at now: Duration, _ limits: PoolLimits) -> LeaseLedger.Due {
        var due = LeaseLedger.Due()
        while let first = expiring.first, let deadline = first.deadline, deadline <= now {
            gaveUp(first)
            due.late.append(first)
        }
        if !due.late.isEmpty { due.report = report(limits, now) }
        for index in entries.indices {
            guard let slot = entries[index].slot else { continue }
            let entry = entries[index]
            if !entry.isRetired, let end = entry.retiresAt, end <= now {
                entries[index].isRetired = true
                slot.retire()
            }
            if let end = entry.moment(entry.deadline), end <= now {
                entries[index].deadline = LeaseLedger.Entry.Mark()
                due.overdue.append((slot, entry.lease))
            }
            if let threshold = limits.leakThreshold, let began = entry.moment(entry.began), began + threshold <= now,
                entry.leaked != entry.lease, let holder = entry.holder(at: now)
            {
                entries[index].leaked = entry.lease
                due.leaked.append(holder)
            }
        }
        due.closed = takeRetired().map { ($0, .retired) } + takeIdle(at: now, limits).map { ($0, .idle) }
        due.granted = grantPlaces(now, limits)
        return due
    }

    /// Removes and returns the idle resources that are retired.
    mutating func takeRetired() -> [LeaseSlot] {
        let retired = idle.filter { entries[$0].isRetired }
        if !retired.isEmpty { idle.removeAll { entries[$0].isRetired } }
        return retired.compactMap { entries[$0].slot }
    }

    /// Removes and returns resources that were idle for too long, oldest first, but keeps the minimum number of idle ones.
    private mutating func takeIdle(at now: Duration, _ limits: PoolLimits) -> [LeaseSlot] {
        guard let limit = limits.idleTimeout, let look = nextIdleLook, look <= now else { return [] }
        nextIdleLook = open > 0 ? now + limit / 4 : nil
        var old: [Int] = []
        for index in idle {
            let lease = entries[index].lease
            if entries[index].idleSince.lease != lease {
                entries[index].idleSince = LeaseLedger.Entry.Mark(lease: lease, moment: now)
            } else if entries[index].idleSince.moment + limit <= now, idle.count - old.count > limits.minIdle {
                old.append(index)
            }
        }
        idle.removeAll { old.contains($0) }
        return old.compactMap { entries[$0].slot }
    }
}
