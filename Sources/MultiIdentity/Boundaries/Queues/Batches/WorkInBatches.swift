import CMultiIdentity
import Dispatch
import Synchronization

/// The work of a serial queue that drains in batches: a list of our own, and *turns*, which are asked of Dispatch.
///
/// A turn is one thing that is handed to the queue by plain Dispatch. It takes pieces from the front of the list and
/// runs them, `bound` at most.
///
/// **All work gets its turn.** Let *t* be how many pieces the turns that were asked for, and have not ended, may still
/// run. At any time, *t* ≥ what waits in the list + `room`:
/// - adding with room takes 1 of it, and 1 more waits; without, a turn is asked for under the same lock: both sides grow
///   by `bound`;
/// - running a piece takes 1 from *t* and 1 from what waits;
/// - a turn that has run `bound` pieces counts for nothing in *t* when it ends; one that finds the list empty sets
///   `room` to 0, and the right side is 0;
/// - one that is cut short by a suspension asks for another, which may run `bound` pieces, as many as it or more.
///
/// So when no turn is left, *t* = 0 and nothing waits.
///
/// **Order.** Pieces run in the order of the list, which is that of the lock. A turn is asked for under the lock: when
/// ``add(_:)`` returns, to whomever, turns enough for that piece are in the queue already, so that what is handed to the
/// queue afterwards runs after it. Not so after a turn was cut short, as the one asked for instead comes last: until all
/// is run that was in the list then, the queue *is behind*, and what the queue runs of ours beside the turns looks for
/// that and lets the turns go first.
///
/// **What is seen.** Who adds writes the piece and then changes `tally`, with release; a turn loads it, with acquire, and
/// takes as many pieces as it says. A turn needs no lock, and so never waits for a caller that asks for one.
///
/// `@unchecked Sendable`: the variables below the line are touched by turns alone, which the queue runs one after
/// another, since it is serial. The rest is constant, atomic or behind the lock.
final class WorkInBatches: @unchecked Sendable {
    /// The greatest number of pieces of work that a turn runs.
    static var bound: Int { 128 }

    /// The number of pieces ever added, and the room: for how much more work there are turns already.
    ///
    /// In one word, since a turn that finds the list empty takes the room away, and must not if work is added meanwhile.
    struct Tally {
        var word: UInt64

        static let addedOnce: UInt64 = 1 << 8

        var added: UInt64 { word >> 8 }
        var room: UInt64 { word & 0xFF }
        var withoutRoom: UInt64 { word & ~0xFF }
    }

    /// `@unchecked Sendable`: the pointer is into `last`, and both are touched under the lock alone.
    struct Incoming: @unchecked Sendable {
        /// The chunk to which is added, and there the next place, and how many are left.
        var last: BatchChunk
        var place: UnsafeMutablePointer<BatchedWork>
        var left: Int

        init(_ chunk: BatchChunk) { (last, place, left) = (chunk, chunk.places, chunk.capacity) }

        /// Goes on in another chunk, of the smallest size where turns keep up, and else of twice the size.
        mutating func goOn(_ spare: borrowing Atomic<Unmanaged<BatchChunk>?>) {
            let next =
                spare.exchange(nil, ordering: .acquiring)?.takeRetainedValue()
                ?? BatchChunk(capacity: min(2 * last.capacity, BatchChunk.largest))
            last.next = next
            self = Incoming(next)
        }
    }

    let queue: DispatchQueue
    let handle: QueueHandle?
    let incoming: Locked<Incoming>
    let tally = Atomic<UInt64>(0)
    /// A small chunk that was run, for who adds next.
    let spare = Atomic<Unmanaged<BatchChunk>?>(nil)
    /// The target that the queue was given, which others may share.
    let target: Locked<DispatchQueue?>
    /// The number of suspensions by the queue's own method: never more than it is suspended in fact (``suspend()``).
    let suspensions = Atomic(0)
    let isBehind = Atomic(false)

    // -- The turns' --
    /// The position of the turns in the list.
    struct Position {
        var chunk: BatchChunk
        /// The next piece, and how many places of `chunk` there are from it on.
        var place: UnsafeMutablePointer<BatchedWork>
        var left: Int
        /// The number of pieces ever run, and the number known to have been added.
        var ran: UInt64 = 0
        var known: UInt64 = 0

        init(in chunk: BatchChunk) { (self.chunk, place, left) = (chunk, chunk.places, chunk.capacity) }
    }
    var position: Position
    /// The number of pieces run at which the queue is no longer behind; 0 where it is not.
    var owed: UInt64 = 0

    init(of queue: DispatchQueue, target: DispatchQueue?, handle: QueueHandle?) {
        self.queue = queue
        self.handle = handle
        self.target = Locked(Self.shared(target))
        let chunk = BatchChunk()
        position = Position(in: chunk)
        incoming = Locked(Incoming(chunk))
    }

    /// A target on which others may have to wait for this queue; a global queue has a thread for them.
    static func shared(_ target: DispatchQueue?) -> DispatchQueue? {
        target?.label.hasPrefix("com.apple.root.") == true ? nil : target
    }

    deinit { spare.load(ordering: .acquiring)?.release() }

    /// Hands `work` over; it runs once.
    @inline(__always)
    func add(_ work: consuming BatchedWork) {
        var work = Optional(work)
        incoming.withLock { incoming in
            guard let work = work.take() else { return }
            if incoming.left == 0 { incoming.goOn(spare) }
            incoming.place.initialize(to: work)
            incoming.place += 1
            incoming.left -= 1
            // Under the lock, for the order. Nothing of anybody else's runs in there.
            if !countsOnTurn() { askForTurn() }
        }
    }

    /// Counts a piece of work that was added; whether there is a turn for it already.
    private func countsOnTurn() -> Bool {
        var tally = Tally(word: self.tally.load(ordering: .relaxed))
        while true {
            let hasRoom = tally.room > 0
            let counted = tally.word &+ Tally.addedOnce &+ (hasRoom ? 0 &- 1 : UInt64(Self.bound) - 1)
            let (isExchanged, found) = self.tally.compareExchange(
                expected: tally.word,
                desired: counted,
                successOrdering: .releasing,
                failureOrdering: .relaxed
            )
            if isExchanged { return hasRoom }
            tally.word = found
        }
    }

    @inline(never)
    func askForTurn() {
        // A turn is nobody's: each piece of its work is restored by itself.
        let task = mi_dispatch_for_itself_begin()
        defer { mi_dispatch_for_itself_end(task) }
        guard let handle else { return queue.async { self.runTurn() } }
        // Each turn keeps the list until it has run.
        handle.async(Borrowed(retaining: self).address) { context in
            guard let context else { return }
            Borrowed<WorkInBatches>(at: context).taken().runTurn()
        }
    }

    /// True if work that the queue has come to beside a turn may run now; only to be asked there.
    ///
    /// Relaxed: it is set in turns, and the queue orders them and the work that asks.
    var isUpToDate: Bool { !isBehind.load(ordering: .relaxed) }
}
