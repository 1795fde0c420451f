import MultiIdentity

/// The state of a pool, for the errors of those that get nothing.
struct PoolReport: Sendable {
    let total: Int
    let most: Int
    let idle: Int
    let waiting: Int
    let longest: LeaseHolder?
    let lastError: (any Error)?

    var sentence: String {
        var text = "Of \(most) resources \(total) are open, \(idle) idle and \(total - idle) leased; \(waiting) wait."
        if let longest { text += " The longest lease is that of \(longest)." }
        if let lastError { text += " The last one that was opened failed: \(lastError)." }
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
                "The pool was shut down. Let work end before the pool does, and begin none afterwards."
            )
        case .wouldWait(let report):
            LeaseError(
                .wouldDeadlock,
                """
                This task, or thread, has a lease of the pool already, and no other resource is free: it would wait for itself, \
                or for others that wait for it. Pass the outer lease on, or have the pool open more resources than the work \
                nests. \(report.sentence)
                """
            )
        case .tooMany(let report):
            LeaseError(
                .tooManyWaiting,
                "As many wait for a resource as may. Send the caller away, or raise the limit on waiting. \(report.sentence)"
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
            No resource was ready within \(limits.waitTimeout ?? .zero). Try again later, have leases end sooner, or open more \
            resources. \((report ?? self.report).sentence)
            """
        )
    }

    func stillLeased(_ limit: Duration) -> LeaseError {
        LeaseError(
            .stillLeased,
            "The pool was shut down, and not all resources came back within \(limit). \(report.sentence)"
        )
    }

    /// Tells the observer of a lease that ends, if one does.
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
    /// Notes who leases now, so that it is known later for how long at least.
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
