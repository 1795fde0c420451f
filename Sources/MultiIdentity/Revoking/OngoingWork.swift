import CMultiIdentity
import Synchronization

/// A scope that is open, or work that was handed over and runs: it began as its identity, and stays that to its end.
///
/// A plain `Task {}` inherits the binding of its creator, and with it this: Swift tells nobody when such a task begins. So
/// only the task, or the thread, on which the work began counts as what has begun.
final class OngoingWork: Sendable {
    let record: IdentityRecord
    let generation: UInt32
    /// Work of the same task or thread around this one, which owns it while this runs; what was captured in here does not.
    unowned let outer: OngoingWork?
    private let task = mi_task_current()
    /// An address, to be compared: of the thread that does this work, and so lives until that has ended.
    private let thread = UInt(bitPattern: mi_thread_current())
    private let hasEnded = Atomic(false)
    /// The number of waits for other work that its code is in.
    private let waits = Atomic<Int>(0)

    /// Takes over that the work was counted.
    init(counted record: IdentityRecord, _ generation: UInt32, inside outer: OngoingWork?) {
        self.record = record
        self.generation = generation
        self.outer = outer
        if task == 0 { Self.endWithThread() }
    }

    func end() {
        if !hasEnded.exchange(true, ordering: .relaxed) { record.workEnds() }
    }

    /// Is not counted until ``goesOn()``, as its code waits for other work to end.
    func waitsForOthers() {
        if waits.add(1, ordering: .acquiringAndReleasing).oldValue == 0 { record.workEnds() }
    }

    /// Is counted again where this was the last wait; beforehand too, so that nobody ever sees too little.
    func goesOn() {
        _ = record.workBegins()
        if waits.subtract(1, ordering: .acquiringAndReleasing).newValue > 0 { record.workEnds() }
    }

    /// True if this work's identity was revoked since, unless the code that asks is this work itself, or was handed over from
    /// it and began before.
    var isRevokedHere: Bool { record.tally.keepsOut(generation) && !isHere && !handedOverIsHere }

    /// True if it runs here: in its own task, or on its own thread outside tasks.
    var isHere: Bool {
        let here = mi_task_current()
        guard here == task, !hasEnded.load(ordering: .relaxed) else { return false }
        return here != 0 || thread == UInt(bitPattern: mi_thread_current())
    }
}
