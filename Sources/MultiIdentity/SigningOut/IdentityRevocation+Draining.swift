extension IdentityRevocation {
    /// Counts the work of an identity that there is now, as far as it began or was captured while ``isOn``.
    ///
    /// Scopes, and what the boundaries of this package handed over. A plain `Task {}` is not counted: the language tells
    /// nobody when it begins.
    ///
    /// - Parameter identity: The identity.
    /// - Returns: The counts; they change while they are read.
    /// - Complexity: O(*n*) in the number of threads; also in the work that runs where that is recorded.
    public static func workInFlight(of identity: Identity) -> WorkInFlight {
        let record = identity.spelling.record
        let counted = record.tally.running + record.threadsInFlight
        let running = max(0, counted - WaitingCallers.shared.count(for: identity))
        let work = running > 0 ? RunningWork.all.filter { $0.identity == identity } : []
        return WorkInFlight(identity: identity, captured: record.captures, running: running, work: work)
    }

    /// Waits until no work of an identity runs, revoked or not, but not longer than a time.
    ///
    /// The scopes that the caller itself is in do not count, since they wait for this. It does not suspend work, and new
    /// work can begin meanwhile where the identity is not revoked. Where the task is cancelled it returns at once.
    ///
    /// - Parameters:
    ///   - identity: The identity.
    ///   - limit: The longest time to wait.
    /// - Returns: What is still there: ``WorkInFlight/isDrained``, or what runs on.
    public static func drained(_ identity: Identity, within limit: Duration) async -> WorkInFlight {
        let waiting = WaitingCallers.shared.enter(for: identity)
        defer { WaitingCallers.shared.leave(waiting, for: identity) }
        let end = ContinuousClock.now + limit
        while true {
            let left = workInFlight(of: identity)
            let now = ContinuousClock.now
            if left.isDrained || now >= end { return left }
            // Polled: waking would tax the end of every piece of work.
            do { try await Task.sleep(for: min(.milliseconds(1), end - now)) } catch { return left }
        }
    }

    /// Runs `operation`, a wipe, without the caller's own scopes in the count of what runs, since the caller waits for it.
    package static func whileCallerWaits<Value>(
        for identity: Identity,
        _ operation: nonisolated(nonsending) () async -> Value
    ) async -> Value {
        let waiting = WaitingCallers.shared.enter(for: identity)
        defer { WaitingCallers.shared.leave(waiting, for: identity) }
        return await operation()
    }

    /// Has nobody readmit an identity until ``letGo(_:)``.
    package static func hold(_ identity: Identity) { RevokedNames.shared.hold(identity) }

    package static func letGo(_ identity: Identity) { RevokedNames.shared.letGo(identity) }
}

/// Scopes of code that waits for the end of its own identity's work, and so is not waited for.
private final class WaitingCallers: Sendable {
    static let shared = WaitingCallers()

    private let counts = Locked<[Identity: Int]>([:])

    /// Notes how many scopes of the identity the caller is in.
    func enter(for identity: Identity) -> Int {
        var (count, work) = (0, ThreadMirror.current().frame?.contents.ongoingHere)
        while let current = work {
            if current.record === identity.spelling.record { count += 1 }
            work = current.outer
        }
        if count > 0 { counts.withLock { [count] in $0[identity, default: 0] += count } }
        return count
    }

    func leave(_ count: Int, for identity: Identity) {
        guard count > 0 else { return }
        counts.withLock { counts in
            let left = counts[identity, default: 0] - count
            counts[identity] = left > 0 ? left : nil
        }
    }

    func count(for identity: Identity) -> Int { counts.withLock { $0[identity, default: 0] } }
}
