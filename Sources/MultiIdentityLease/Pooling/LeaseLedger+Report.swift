import MultiIdentity

/// The state of a pool, for the errors of refused callers.
struct PoolReport: Sendable {
    let total: Int
    let most: Int
    let idle: Int
    let waiting: Int
    let longest: LeaseHolder?
    let lastError: (any Error)?

    var sentence: String {
        var text = "\(total) of \(most) resources are open, \(idle) of them idle; \(waiting) callers wait."
        if let longest { text += " The longest lease: \(longest)." }
        if let lastError { text += " The last attempt to open one failed: \(lastError)." }
        return text
    }
}

/// The reason why a pool refuses a caller.
enum Refusal: Error {
    case shutDown
    case wouldWait(PoolReport)
    case tooMany(PoolReport)

    var error: LeaseError {
        switch self {
        case .shutDown:
            LeaseError(
                .shutDown,
                "The pool is shut down. End all work before the pool, and start none afterwards."
            )
        case .wouldWait(let report):
            LeaseError(
                .wouldDeadlock,
                """
                This task or thread already has a lease of the pool, and no other resource is free: waiting could deadlock. Use \
                the outer lease, or allow the pool more resources than there are nested leases. \(report.sentence)
                """
            )
        case .tooMany(let report):
            LeaseError(
                .tooManyWaiting,
                "The maximum number of callers is already waiting. Reject the caller, or raise `maxWaiters`. \(report.sentence)"
            )
        }
    }
}

extension LeaseLedger {
    var report: PoolReport {
        let now = clock.now()
        return state.withLock { $0.report(limits, now) }
    }

    func timedOut(_ report: PoolReport? = nil) -> LeaseError {
        LeaseError(
            .timedOut,
            """
            No resource was ready within \(limits.waitTimeout ?? .zero). Try again later, end leases sooner, or open more \
            resources. \((report ?? self.report).sentence)
            """
        )
    }

    func stillLeased(_ limit: Duration) -> LeaseError {
        LeaseError(
            .stillLeased,
            "The pool was shut down, but not all resources came back within \(limit). End the leases first. \(report.sentence)"
        )
    }

    /// Notifies the observer, if there is one, that a lease ends.
    func noteReturn(_ slot: LeaseSlot, _ now: Duration) {
        guard let observer else { return }
        let began = state.withLock { state in
            let entry = state.entries[slot.index]
            return entry.lessee == nil ? nil : entry.began.moment
        }
        if let began { observer(.returned(after: now - began)) }
    }
}

extension LeaseLedger.State {
    /// Records the current leases, so that a minimum duration is known later.
    mutating func noteHolders(_ now: Duration) {
        for index in entries.indices where entries[index].lessee != nil {
            let lease = entries[index].lease
            if entries[index].began.lease != lease {
                entries[index].began = LeaseLedger.Entry.Mark(lease: lease, moment: now)
            }
        }
    }

    func report(_ limits: PoolLimits, _ now: Duration) -> PoolReport {
        PoolReport(
            total: open,
            most: limits.maxResources,
            idle: idle.count,
            waiting: line.count,
            longest: entries.compactMap { $0.holder(at: now) }.max { $0.duration < $1.duration },
            lastError: backoff.lastError
        )
    }
}
