import MultiIdentity

/// The removals and new aliases that a registry knows of, and how far they have settled in its process.
final class Removals: Sendable {
    private struct State {
        /// The number of the last event that was acted on here; `nil` before the registry has begun.
        var followed: Int64?
        /// The number of the last removal.
        var last: Int64 = 0
        /// The event numbers of removals whose work may still run here, with the number of accounts.
        var draining: [Int64: Int] = [:]
        /// The accounts whose removal is being stored, and that are not revoked yet.
        var removing: [Identity: Int] = [:]
    }

    private let state = Locked(State())

    /// Records the last event before the registry began.
    func begin(after number: Int64) { state.withLock { $0.followed = $0.followed ?? number } }

    /// Records that this process has acted on an event; after a removal, work may still run.
    func follow(_ event: AccountEvent) {
        state.withLock { state in
            if event.status.isSettled {
                state.draining[event.number, default: 0] += 1
                state.last = max(state.last, event.number)
            }
            state.followed = event.number
        }
    }

    /// Records that events up to one were missed, and how many accounts are gone, whose work may still run.
    func skip(to number: Int64, removing count: Int) {
        state.withLock { state in
            if count > 0 { state.draining[number, default: 0] += count }
            // No one waits for events that a restored store lacks.
            let isPutBack = number < state.followed ?? 0
            (state.followed, state.last) = (number, isPutBack ? number : max(state.last, number))
        }
    }

    func drained(_ number: Int64) {
        state.withLock { state in
            let left = state.draining[number, default: 1] - 1
            state.draining[number] = left > 0 ? left : nil
        }
    }

    /// Records a removal that this process has stored.
    func wrote(_ number: Int64) { state.withLock { $0.last = max($0.last, number) } }

    /// Marks an account as being removed while `body` runs.
    func around(_ identity: Identity, _ body: () -> Void) {
        state.withLock { $0.removing[identity, default: 0] += 1 }
        body()
        state.withLock { state in
            let left = state.removing[identity, default: 1] - 1
            state.removing[identity] = left > 0 ? left : nil
        }
    }

    func isRemoving(_ identity: Identity) -> Bool { state.withLock { $0.removing[identity] != nil } }

    /// The number of the last event that this process has acted on.
    var followed: Int64 { state.withLock { $0.followed ?? 0 } }

    /// The number of the last known removal.
    var last: Int64 { state.withLock { $0.last } }

    /// The number of the last event whose removals have settled here.
    var settled: Int64 {
        state.withLock { state in
            let followed = state.followed ?? 0
            return state.draining.keys.min().map { min($0 - 1, followed) } ?? followed
        }
    }
}
