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
        let running = record.tally.running + record.threadsInFlight
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
        let waiting = WaitingScopes(of: identity)
        defer { waiting.end() }
        let end = ContinuousClock.now + limit
        let wait = IdleWait(for: identity.spelling.record, until: end)
        while await wait.isOver() {
            let left = workInFlight(of: identity)
            // Else new work has begun since, or was counted and is about to be refused.
            if left.isDrained || ContinuousClock.now >= end { return left }
        }
        return workInFlight(of: identity)
    }

    /// Runs `operation`, a wipe, without the caller's own scopes in the count of what runs, since the caller waits for it.
    package static func whileCallerWaits<Value>(
        for identity: Identity,
        _ operation: nonisolated(nonsending) () async -> Value
    ) async -> Value {
        let waiting = WaitingScopes(of: identity)
        defer { waiting.end() }
        return await operation()
    }

    /// Has nobody readmit an identity until ``letGo(_:)``.
    package static func hold(_ identity: Identity) { RevokedNames.shared.hold(identity) }

    package static func letGo(_ identity: Identity) { RevokedNames.shared.letGo(identity) }
}

/// The scopes of the caller that are left out of the count, since it waits for the end of its own identity's work.
///
/// In the tally itself: counted beside it, a reader could see a caller that waits before its scope is counted, and miss
/// other work for that.
private struct WaitingScopes {
    private let scopes: [OngoingWork]

    init(of identity: Identity) {
        var (scopes, work) = ([OngoingWork](), ThreadMirror.current().frame?.standing.ongoingHere)
        while let current = work {
            if current.record === identity.spelling.record {
                current.waitsForOthers()
                scopes.append(current)
            }
            work = current.outer
        }
        self.scopes = scopes
    }

    func end() {
        for scope in scopes { scope.goesOn() }
    }
}
