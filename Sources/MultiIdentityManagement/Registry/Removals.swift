import MultiIdentity

/// The removals that a registry has heard of, and the names that were added, and how far they are settled in its process.
final class Removals: Sendable {
    private struct State {
        /// The number of the last event that was acted on here; `nil` before the registry has begun.
        var followed: Int64?
        /// The number of the last removal.
        var last: Int64 = 0
        /// The numbers of removals with work that may still run here, and of how many accounts it is.
        var draining: [Int64: Int] = [:]
        /// The accounts with a removal that is being written down, and that are not revoked yet.
        var removing: [Identity: Int] = [:]
    }

    private let state = Locked(State())

    /// Takes note of the event that was the last one before the registry began.
    func begin(after number: Int64) { state.withLock { $0.followed = $0.followed ?? number } }

    /// Takes note that an event was acted on here; of a removal, work may still run.
    func follow(_ event: AccountEvent) {
        state.withLock { state in
            if event.status.isSettled {
                state.draining[event.number, default: 0] += 1
                state.last = max(state.last, event.number)
            }
            state.followed = event.number
        }
    }

    /// Takes note that events up to one were missed, and that so many accounts are gone, of which work may still run.
    func skip(to number: Int64, removing count: Int) {
        state.withLock { state in
            if count > 0 { state.draining[number, default: 0] += count }
            // What a store that was put back has not is waited for by nobody.
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

    /// Takes note of a removal that this process has written down.
    func wrote(_ number: Int64) { state.withLock { $0.last = max($0.last, number) } }

    /// Has an account count as one that is being removed as long as `body` runs.
    func around(_ identity: Identity, _ body: () -> Void) {
        state.withLock { $0.removing[identity, default: 0] += 1 }
        body()
        state.withLock { state in
            let left = state.removing[identity, default: 1] - 1
            state.removing[identity] = left > 0 ? left : nil
        }
    }

    func isRemoving(_ identity: Identity) -> Bool { state.withLock { $0.removing[identity] != nil } }

    /// The number of the event up to which all were acted on here.
    var followed: Int64 { state.withLock { $0.followed ?? 0 } }

    /// The number of the last removal that is known here.
    var last: Int64 { state.withLock { $0.last } }

    /// The number of the event up to which removed accounts work here no more.
    var settled: Int64 {
        state.withLock { state in
            let followed = state.followed ?? 0
            return state.draining.keys.min().map { min($0 - 1, followed) } ?? followed
        }
    }
}
