import CMultiIdentity
import Synchronization

/// An open scope, or running work that was handed over: it began as its identity, and keeps it to its end.
///
/// A plain `Task {}` inherits its creator's binding, and this with it: Swift does not report when such a task begins. So only
/// the task or thread on which the work began counts as begun.
final class OngoingWork: Sendable {
    let record: IdentityRecord
    let generation: UInt32
    /// Work of the same task or thread around this one, which retains it while this runs; captures made in here do not.
    unowned let outer: OngoingWork?
    private let task = mi_task_current()
    /// The address of the thread that does this work, only for comparison; the thread lives until the work has ended.
    private let thread = UInt(bitPattern: mi_thread_current())
    private let hasEnded = Atomic(false)
    /// The number of waits for other work that its code is in.
    private let waits = Atomic<Int>(0)

    /// Makes this for work that is already counted.
    init(counted record: IdentityRecord, _ generation: UInt32, inside outer: OngoingWork?) {
        self.record = record
        self.generation = generation
        self.outer = outer
        if task == 0 { Self.endWithThread() }
    }

    func end() {
        if !hasEnded.exchange(true, ordering: .relaxed) { record.workEnds() }
    }

    /// Stops counting it until ``goesOn()``, since its code waits for other work to end.
    func waitsForOthers() {
        if waits.add(1, ordering: .acquiringAndReleasing).oldValue == 0 { record.workEnds() }
    }

    /// Counts it again if this was the last wait; the count increases first, so that it is never too low.
    func goesOn() {
        _ = record.workBegins()
        if waits.subtract(1, ordering: .acquiringAndReleasing).newValue > 0 { record.workEnds() }
    }

    /// True if this work's identity was revoked since, unless the calling code is this work itself, or was handed over from it
    /// and began before.
    var isRevokedHere: Bool { record.tally.keepsOut(generation) && !isHere && !handedOverIsHere }

    /// True if it runs here: in its own task, or on its own thread outside tasks.
    var isHere: Bool {
        let here = mi_task_current()
        guard here == task, !hasEnded.load(ordering: .relaxed) else { return false }
        return here != 0 || thread == UInt(bitPattern: mi_thread_current())
    }
}
