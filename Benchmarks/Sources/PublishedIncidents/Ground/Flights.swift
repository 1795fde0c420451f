import MultiIdentity
import Synchronization

/// Work that several wait for, by a key: the first who comes has it done, and those who come meanwhile join.
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
