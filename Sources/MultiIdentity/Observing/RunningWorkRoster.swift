import CMultiIdentity

/// The work that runs now; in shards by thread, so that workers seldom wait for each other.
final class RunningWorkRoster: Sendable {
    /// A piece of work as it is noted: what it takes longer to work out waits until somebody asks.
    struct Entry: Sendable {
        let snapshot: IdentitySnapshot
        /// The identity that it shows to the work itself: to others, work of somebody revoked shows nobody.
        let identity: Identity?
        /// `nil` for a scope.
        let boundary: IdentityBoundary?
        let site: BindingSite?
        let thread = mi_thread_number()
        let isInTask = mi_task_runs()
        let began = CaptureTime.now

        init(_ snapshot: IdentitySnapshot, _ boundary: IdentityBoundary?, _ site: BindingSite?) {
            self.snapshot = snapshot
            identity = snapshot.identity
            self.boundary = boundary
            self.site = site
        }
    }

    /// The place of one piece of work.
    struct Ticket: Sendable {
        fileprivate let shard: Int
        fileprivate let place: Int
    }

    /// Entries, and the places among them that are free.
    private struct Shard {
        var entries: [Entry?] = []
        var free: [Int] = []

        mutating func enter(_ entry: consuming Entry) -> Int {
            guard let place = free.popLast() else {
                entries.append(entry)
                return entries.count - 1
            }
            entries[place] = entry
            return place
        }

        mutating func leave(_ place: Int) -> Entry? {
            free.append(place)
            return entries[place].take()
        }
    }

    static let shared = RunningWorkRoster()

    private let shards = (0..<16).map { _ in Locked(Shard()) }

    func enter(_ entry: Entry) -> Ticket {
        let shard = Int(truncatingIfNeeded: entry.thread) & 15
        return Ticket(shard: shard, place: shards[shard].withLock { $0.enter(entry) })
    }

    func leave(_ ticket: Ticket) {
        // Let go of outside the lock: an identity's end may take other locks.
        _ = shards[ticket.shard].withLock { $0.leave(ticket.place) }
    }

    var all: [Entry] { shards.flatMap { $0.withLock { $0.entries.compactMap { $0 } } } }
}
