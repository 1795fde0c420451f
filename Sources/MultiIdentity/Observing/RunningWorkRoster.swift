import CMultiIdentity

/// The work that runs now; in shards by thread, so that workers seldom wait for each other.
final class RunningWorkRoster: Sendable {
    /// A piece of work as it is noted: what it takes longer to work out waits until somebody asks.
    ///
    /// Plain words, copied and moved without counting references.
    struct Entry: Sendable {
        /// Keeper of the snapshot while the work is noted.
        enum Keeper {
            /// The work's binding, which is never ended where its thread exits in it, and so keeps it for good.
            case binding
            /// The entry itself.
            case entry
        }

        private let bits: UInt
        /// The bits of the identity alone that the work itself began as, kept by this; the same bits where that cannot change.
        ///
        /// A frame shows others nobody, once its identity is revoked.
        private let begun: UInt
        private let keeper: Keeper
        /// `nil` for a scope.
        let boundary: IdentityBoundary?
        let site: BindingSite?
        let thread = mi_thread_number()
        let isInTask: Bool
        let began = CaptureTime.now

        /// Notes work whose snapshot has these bits, which somebody keeps for this call.
        @inline(__always)
        init(_ bits: UInt, by boundary: IdentityBoundary?, _ site: BindingSite?, isInTask: Bool, keptBy keeper: Keeper)
        {
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

        /// Gives its references back; nobody reads it any more.
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

        /// The work has ended.
        func leave() {
            // Outside the lock: an identity's end may take other locks.
            shard.read { $0.withLock { $0.leave(place) } }?.end()
        }
    }

    /// Entries, and the places among them that are free: each names the next one.
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

    /// Kept for good, and so used without a reference.
    private let shards = (0..<16).map { _ in Borrowed(retaining: Locked(Shard())) }

    func enter(_ entry: Entry) -> Ticket {
        let shard = shards[Int(truncatingIfNeeded: entry.thread) & 15]
        return Ticket(shard: shard, place: shard.read { $0.withLock { $0.enter(entry) } })
    }

    /// All pieces of work, each as `seen` sees it: under the lock, where the entry has its references.
    func all<Seen: Sendable>(_ seen: (Entry) -> Seen) -> [Seen] {
        shards.flatMap { $0.object.withLock { $0.entries.map(seen) } }
    }
}
