import MultiIdentity
import Synchronization

/// Shared work by key: the first caller starts it, and callers that arrive meanwhile join.
final class Flights<Key: Hashable & Sendable>: Sendable {
    private let open = Mutex<[Key: Task<Identity?, Never>]>([:])

    func join(_ key: Key, _ work: @escaping @Sendable () async -> Identity?) -> Task<Identity?, Never> {
        open.withLock { open in
            let flight = open[key] ?? Task { await work() }
            open[key] = flight
            return flight
        }
    }
}
