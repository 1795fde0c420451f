import CMultiIdentity
import Dispatch
import Synchronization

/// The work of a serial queue that drains in batches: our own list, and *turns* requested from Dispatch.
///
/// A turn is one item that is submitted to the queue by plain Dispatch. It takes pieces from the front of the list and runs
/// them, at most `bound`.
///
/// **All work runs.** Let *t* be the number of pieces that the requested and unfinished turns may still run. At any time, *t* ≥
/// the number of waiting pieces + `room`:
/// - adding a piece while there is room uses 1 of it, and 1 more waits; otherwise a turn is requested under the same lock: both
///   sides grow by `bound`;
/// - running a piece takes 1 from *t* and 1 from the waiting pieces;
/// - a turn that has run `bound` pieces contributes nothing to *t* when it ends; one that finds the list empty sets `room` to
///   0, and the right side is 0;
/// - a turn that a suspension interrupts requests another, which may run `bound` pieces, at least as many as it could.
///
/// So when no turn is left, *t* = 0 and nothing waits.
///
/// **Order.** Pieces run in the order of the list, which is the order of the lock. A turn is requested under the lock: when ``add(_:)``
/// returns, enough turns for that piece are already in the queue, so that work submitted to the queue afterwards runs after it. An
/// interrupted turn is the exception, since its replacement comes last: until everything that was then in the list has run, the queue *is
/// behind*. Our work that the queue runs beside the turns checks for that, and lets the turns go first.
///
/// **Visibility.** A caller writes the piece and then changes `tally`, with release; a turn loads it, with acquire, and takes
/// as many pieces as it says. A turn needs no lock, and so never waits for a caller that requests one.
///
/// `@unchecked Sendable`: only turns access the variables below the heading "Used by turns", and the serial queue runs turns
/// one after another. The rest is constant, atomic or protected by the lock.
final class WorkInBatches: @unchecked Sendable {
    /// The maximum number of pieces of work per turn.
    static var bound: Int { 128 }

    /// The number of pieces ever added, and the room: how much more work the requested turns can run.
    ///
    /// Both are in one word, since a turn that finds the list empty resets the room, and must not if work is added in the meantime.
    struct Tally {
        var word: UInt64

        static let addedOnce: UInt64 = 1 << 8

        var added: UInt64 { word >> 8 }
        var room: UInt64 { word & 0xFF }
        var withoutRoom: UInt64 { word & ~0xFF }
    }

    /// `@unchecked Sendable`: the pointer is into `last`, and both are accessed only under the lock.
    struct Incoming: @unchecked Sendable {
        /// The chunk that work is added to, its next place, and the number of free places.
        var last: BatchChunk
        var place: UnsafeMutablePointer<BatchedWork>
        var left: Int

        init(_ chunk: BatchChunk) { (last, place, left) = (chunk, chunk.places, chunk.capacity) }

        /// Continues in another chunk, of the smallest size if turns keep up, otherwise of twice the size.
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
    /// A small chunk that was run, for the next caller that adds work.
    let spare = Atomic<Unmanaged<BatchChunk>?>(nil)
    /// The queue's target, which other queues may share.
    let target: Locked<DispatchQueue?>
    /// The number of suspensions through the queue's own method; the queue is suspended at least that often (``suspend()``).
    let suspensions = Atomic(0)
    let isBehind = Atomic(false)

    // -- Used by turns --
    /// The position of the turns in the list.
    struct Position {
        var chunk: BatchChunk
        /// The next piece, and the number of places of `chunk` from it on.
        var place: UnsafeMutablePointer<BatchedWork>
        var left: Int
        /// The number of pieces ever run, and the number known to be added.
        var ran: UInt64 = 0
        var known: UInt64 = 0

        init(in chunk: BatchChunk) { (self.chunk, place, left) = (chunk, chunk.places, chunk.capacity) }
    }
    var position: Position
    /// The number of run pieces at which the queue is no longer behind; 0 if it is not behind.
    var owed: UInt64 = 0

    init(of queue: DispatchQueue, target: DispatchQueue?, handle: QueueHandle?) {
        self.queue = queue
        self.handle = handle
        self.target = Locked(Self.shared(target))
        let chunk = BatchChunk()
        position = Position(in: chunk)
        incoming = Locked(Incoming(chunk))
    }

    /// Returns the target if others on it may have to wait for this queue; a global queue has a thread for each.
    static func shared(_ target: DispatchQueue?) -> DispatchQueue? {
        target?.label.hasPrefix("com.apple.root.") == true ? nil : target
    }

    deinit { spare.load(ordering: .acquiring)?.release() }

    /// Hands over `work`, which runs once.
    @inline(__always)
    func add(_ work: consuming BatchedWork) {
        var work = Optional(work)
        incoming.withLock { incoming in
            guard let work = work.take() else { return }
            if incoming.left == 0 { incoming.goOn(spare) }
            incoming.place.initialize(to: work)
            incoming.place += 1
            incoming.left -= 1
            // Under the lock, for the order. No foreign code runs inside.
            if !countsOnTurn() { askForTurn() }
        }
    }

    /// Counts an added piece of work; returns whether a turn will run it.
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
        // A turn has no identity: each piece of its work is restored separately.
        let task = mi_dispatch_for_itself_begin()
        defer { mi_dispatch_for_itself_end(task) }
        guard let handle else { return queue.async { self.runTurn() } }
        // Each turn retains the list until it has run.
        handle.async(Borrowed(retaining: self).address) { context in
            guard let context else { return }
            Borrowed<WorkInBatches>(at: context).taken().runTurn()
        }
    }

    /// True if work that runs beside a turn may run now; read it only in the queue's work.
    ///
    /// Relaxed: it is set in turns, and the queue orders them and the work that reads it.
    var isUpToDate: Bool { !isBehind.load(ordering: .relaxed) }
}
