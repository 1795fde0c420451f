import MultiIdentity
import Synchronization

/// Something that is worth keeping for a while, for each tenant apart.
///
/// Which tenant's it is, the cache asks itself: nobody hands it a key that could be wrong.
final class TenantCache: Sendable {
    private let queue: any WorkQueue
    private let library: ReportLibrary
    private let lifetime: Duration
    private let capacity: Int
    private let entries = Mutex<[Caller.Key: Entry]>([:])

    private struct Entry {
        let made: Sighting
        let end: ContinuousClock.Instant
    }

    /// - Parameters:
    ///   - queue: Where reports are made.
    ///   - library: What makes them.
    ///   - lifetime: For how long an entry is good.
    ///   - capacity: How many tenants it remembers at most.
    init(queue: any WorkQueue, library: ReportLibrary, lifetime: Duration = .seconds(1), capacity: Int = 5_000) {
        self.queue = queue
        self.library = library
        self.lifetime = lifetime
        self.capacity = capacity
    }

    /// - Parameter errand: Who asks.
    /// - Returns: The owner of the entry, and the user that the reader saw.
    /// - Throws: What making it throws.
    func report(_ errand: Errand) async throws -> [Sighting] {
        let key = try errand.caller.key
        let cached = entries.withLock { $0[key] }
        if let cached, cached.end > .now { return [cached.made, errand.sighting(at: "cache reader")] }
        let (library, lifetime) = (library, lifetime)
        let made = try await queue.run {
            let made = try library.render(errand)
            return Sighting(as: made.as, place: "cache entry")
        }
        keep(Entry(made: made, end: .now + lifetime), for: key)
        return [made, errand.sighting(at: "cache reader")]
    }

    /// - Parameter tenant: The owner of the entry.
    func forget(_ tenant: Identity) {
        _ = entries.withLock { $0.removeValue(forKey: .identity(tenant)) }
    }

    private func keep(_ entry: Entry, for key: Caller.Key) {
        entries.withLock { entries in
            if entries.count >= capacity, entries[key] == nil {
                entries = entries.filter { $0.value.end > .now }
                if entries.count >= capacity, let any = entries.keys.first { entries[any] = nil }
            }
            entries[key] = entry
        }
    }
}
