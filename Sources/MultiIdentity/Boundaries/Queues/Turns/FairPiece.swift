import CMultiIdentity
import Dispatch

/// A piece of work in a fair queue's line, or a caller of `sync` that waits there for its turn.
struct FairPiece: ~Copyable {
    enum Kind: ~Copyable {
        case work(BatchedWork)
        /// A work item for a concurrent queue: only Dispatch knows whether it is a barrier.
        case item(DispatchWorkItem, for: DispatchGroup?)
        case caller(DispatchSemaphore)
        /// Work that returns whether it has ended; if not, it keeps its place.
        case started(@Sendable () -> Bool)
    }

    private let kind: Kind
    let isBarrier: Bool
    var next: UnsafeMutablePointer<FairPiece>?

    /// Puts it into memory of its own, for a line.
    static func made(_ kind: consuming Kind, isBarrier: Bool) -> UnsafeMutablePointer<FairPiece> {
        let memory = mi_allocate(MemoryLayout<FairPiece>.size).assumingMemoryBound(to: FairPiece.self)
        memory.initialize(to: FairPiece(kind: kind, isBarrier: isBarrier))
        return memory
    }

    /// Takes it out of that memory, which ends.
    static func taken(_ place: UnsafeMutablePointer<FairPiece>) -> Kind {
        let piece = place.move()
        free(place)
        return piece.kind
    }

    private var isWork: Bool {
        switch kind {
        case .work: true
        case .started: true
        default: false
        }
    }

    /// True if a pump runs it; otherwise the pump passes its place on.
    var runsInPump: Bool { isWork && !isBarrier }

    /// True if nothing else begins until it has begun, or ended: an item may be a barrier.
    var holds: Bool {
        switch kind {
        case .item: true
        default: isBarrier
        }
    }

    /// True if Dispatch runs it as a barrier; a caller has its own `sync`.
    var runsAsBarrier: Bool { isWork && isBarrier }
}
