#if os(Linux)
import CMultiIdentityScheduling

/// All that one step touches, as far as the scheduler knows: steps of two pieces that commute need no second order.
struct ScheduledTouches: Sendable {
    /// How an object is touched: two reads commute, and so do two additions (hand-overs to a concurrent queue, entries of a
    /// group).
    enum Access { case reads, adds, writes }

    /// Objects without their own identity, by unique numbers.
    enum Shared: UInt64 {
        /// All tasks count as one: what they exchange is not visible.
        case tasks = 0x1_0000_0000, locks, globals, time
    }

    private var objects: [(object: UInt64, access: Access)] = []
    /// True if the step can be taken only while a worker is free.
    var needsWorker = false
    /// True if fewer workers are free after the step.
    var takesWorker = false
    /// True for a step that advances time, which anything can have read.
    var isTime = false

    mutating func add(_ object: UInt64, _ access: Access) {
        if !objects.contains(where: { $0 == (object, access) }) { objects.append((object, access)) }
    }

    /// Returns whether two possible steps of different pieces have the same result in both orders.
    func commutes(with other: ScheduledTouches) -> Bool {
        if isTime || other.isTime { return false }
        if (takesWorker && other.needsWorker) || (needsWorker && other.takesWorker) { return false }
        for (object, access) in objects {
            for its in other.objects where its.object == object && (its.access != access || access == .writes) {
                return false
            }
        }
        return true
    }
}

extension Schedule {
    /// Begins a step, if the strategy uses what each touches.
    func beginStep(_ option: Option) {
        stepCount += 1
        guard touches != nil else { return }
        var begun = ScheduledTouches()
        begun.isTime = timeHasPassed
        timeHasPassed = false
        begun.needsWorker = option.begins && option.piece.waiter == nil && settings.workers != nil
        touches = begun
        madeBefore = UInt64(mi_scheduled_made_so_far())
        _ = mi_scheduled_touched_locks()
        let isTask = option.begins ? option.piece.isTask : option.worker?.pieces.contains { $0.isTask } ?? false
        if isTask { touch(.tasks) }
    }

    /// Passes what the ended step touched to the strategy.
    func endStep(_ inProgressBefore: Int) {
        guard var ended = touches else { return }
        if mi_scheduled_touched_locks() { ended.add(ScheduledTouches.Shared.locks.rawValue, .writes) }
        ended.takesWorker = settings.workers != nil && inProgress > inProgressBefore
        chooser.ended(ended)
    }

    func touch(_ object: UInt64, _ access: ScheduledTouches.Access = .writes) {
        // No other piece knows what was made in this step.
        guard touches != nil, object <= madeBefore || object > UInt64(UInt32.max) else { return }
        touches?.add(object, access)
    }

    func touch(_ shared: ScheduledTouches.Shared) { touch(shared.rawValue) }

    /// Records that work for a queue is handed over, begins or ends.
    func touch(_ queue: ScheduledQueue, isBarrier: Bool) {
        guard touches != nil else { return }
        queue.forEachUpwards { above, _ in
            let isAlone = !above.isConcurrent || above === tasks || (isBarrier && above === queue)
            touch(above.identity, isAlone ? .writes : .adds)
        }
    }

    /// Records that a work item begins, ends, or is cancelled.
    func touch(_ item: UnsafeMutablePointer<mi_scheduled_item>?, _ access: ScheduledTouches.Access = .writes) {
        guard touches != nil, let item else { return }
        touch(mi_scheduled_identity(item.pointee.made, item), access)
    }
}
#endif
