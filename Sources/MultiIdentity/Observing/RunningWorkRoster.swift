import CMultiIdentity

/// The work that runs now, in shards by thread, so that workers seldom wait for each other.
final class RunningWorkRoster: Sendable {
    /// The entry for a piece of work: what takes longer to compute waits until it is read.
    ///
    /// It consists of plain words, copied and moved without reference counting.
    struct Entry: Sendable {
        /// The owner of the snapshot while the work is listed.
        enum Keeper {
            /// The work's binding; if its thread exits in the work, the binding never ends, and keeps the snapshot for good.
            case binding
            /// The entry itself.
            case entry
        }

        private let bits: UInt
        /// The bits of the identity alone that the work began as, retained by this, or the snapshot's bits if they cannot change.
        ///
        /// A frame shows nobody to other code once its identity is revoked.
        private let begun: UInt
        private let keeper: Keeper
        /// `nil` for a scope.
        let boundary: IdentityBoundary?
        let site: CallSite?
        let thread = mi_thread_number()
        let isInTask: Bool
        let began = CaptureTime.now

        /// Lists work whose snapshot has these bits; the caller keeps them alive for this call.
        @inline(__always)
        init(_ bits: UInt, by boundary: IdentityBoundary?, _ site: CallSite?, isInTask: Bool, keptBy keeper: Keeper) {
            self.bits = bits
            if keeper == .entry { _ = ThreadMirror.snapshot(of: bits).retainedBits() }
            let canChange = BindingFeatures.inUse.contains(.revocation) && ThreadMirror.frame(of: bits) != nil
            begun = canChange ? Self.begun(bits) : bits
            (self.keeper, self.boundary, self.site, self.isInTask) = (keeper, boundary, site, isInTask)
        }

        @inline(never)
        private static func begun(_ bits: UInt) -> UInt {
            let begun = ThreadMirror.snapshot(of: bits).identity.map { IdentitySnapshot(.identity($0)) } ?? .nothing
            _ = begun.retainedBits()
            return ThreadMirror.bits(of: begun)
        }

        /// Releases its references; no one reads it any more.
        fileprivate func end() {
            if begun != bits { IdentitySnapshot.release(begun ^ ThreadMirror.bitsOfNothing) }
            if keeper == .entry { IdentitySnapshot.release(bits ^ ThreadMirror.bitsOfNothing) }
        }

        var snapshot: IdentitySnapshot { ThreadMirror.snapshot(of: bits) }
        var identity: Identity? { ThreadMirror.snapshot(of: begun).identity }
    }

    /// The place of one piece of work.
    struct Ticket: Sendable {
        fileprivate let shard: Borrowed<Locked<Shard>>
        fileprivate let place: Int

        /// Removes the work, which has ended.
        func leave() {
            // Outside the lock: an identity's deinit may take other locks.
            shard.read { $0.withLock { $0.leave(place) } }?.end()
        }
    }

    /// Entries, and the free places among them, each of which refers to the next one.
    fileprivate struct Shard {
        private struct Place {
            var entry: Entry?
            var nextFree = -1
        }

        private var places: [Place] = []
        private var firstFree = -1

        var entries: [Entry] { places.compactMap(\.entry) }

        mutating func enter(_ entry: Entry) -> Int {
            if firstFree < 0 {
                places.append(Place(entry: entry))
                return places.count - 1
            }
            let place = firstFree
            firstFree = places[place].nextFree
            places[place].entry = entry
            return place
        }

        mutating func leave(_ place: Int) -> Entry? {
            let entry = places[place].entry
            places[place] = Place(entry: nil, nextFree: firstFree)
            firstFree = place
            return entry
        }
    }

    static let shared = RunningWorkRoster()

    /// Never freed, and so used without a reference.
    private let shards = (0..<16).map { _ in Borrowed(retaining: Locked(Shard())) }

    func enter(_ entry: Entry) -> Ticket {
        let shard = shards[Int(truncatingIfNeeded: entry.thread) & 15]
        return Ticket(shard: shard, place: shard.read { $0.withLock { $0.enter(entry) } })
    }

    /// Maps all entries with `seen`, under the lock, while each entry has its references.
    func all<Seen: Sendable>(_ seen: (Entry) -> Seen) -> [Seen] {
        shards.flatMap { $0.object.withLock { $0.entries.map(seen) } }
    }
}
