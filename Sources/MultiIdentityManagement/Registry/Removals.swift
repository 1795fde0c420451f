import MultiIdentity

/// The removals that a registry has heard of, and how far they are settled in its process.
final class Removals: Sendable {
    private struct State {
        /// The number of the last event that was acted on here; `nil` before the registry has begun.
        var followed: Int64?
        /// The number of the last removal.
        var last: Int64 = 0
        /// The numbers of removals with work that may still run here.
        var draining: Set<Int64> = []
        /// The accounts with a removal that is being written down, and that are not revoked yet.
        var removing: [Identity: Int] = [:]
    }

    private let state = Locked(State())

    /// Takes note of the event that was the last one before the registry began.
    func begin(after number: Int64) { state.withLock { $0.followed = $0.followed ?? number } }

    /// Takes note that an event was acted on here; of a removal, work may still run.
    func follow(_ event: AccountEvent) {
        state.withLock { state in
            if event.status == .removed {
                state.draining.insert(event.number)
                state.last = max(state.last, event.number)
            }
            state.followed = event.number
        }
    }

    func drained(_ number: Int64) { state.withLock { _ = $0.draining.remove(number) } }

    /// Takes note of a removal that this process has written down.
    func wrote(_ number: Int64) { state.withLock { $0.last = max($0.last, number) } }

    func beginsRemoving(_ identity: Identity) { state.withLock { $0.removing[identity, default: 0] += 1 } }

    func endsRemoving(_ identity: Identity) {
        state.withLock { state in
            let left = state.removing[identity, default: 1] - 1
            state.removing[identity] = left > 0 ? left : nil
        }
    }

    func isRemoving(_ identity: Identity) -> Bool { state.withLock { $0.removing[identity] != nil } }

    /// The number of the last removal that is known here.
    var last: Int64 { state.withLock { $0.last } }

    /// The number of the event up to which removed accounts work here no more.
    var settled: Int64 {
        state.withLock { state in
            let followed = state.followed ?? 0
            return state.draining.min().map { min($0 - 1, followed) } ?? followed
        }
    }
}
