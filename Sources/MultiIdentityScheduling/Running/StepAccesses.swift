#if os(Linux)
import CMultiIdentityScheduling

/// All that one step accesses, as far as the scheduler knows: steps of two work items that commute need no second order.
struct StepAccesses: Sendable {
    /// How an object is accessed: two reads commute, and so do two additions (hand-overs to a concurrent queue, entries of a
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

    /// Returns whether two possible steps of different work items have the same result in both orders.
    func commutes(with other: StepAccesses) -> Bool {
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
    /// Begins a step, if the strategy uses what each accesses.
    func beginStep(_ option: Option) {
        stepCount += 1
        guard accesses != nil else { return }
        var begun = StepAccesses()
        begun.isTime = timeHasPassed
        timeHasPassed = false
        begun.needsWorker = option.begins && option.workItem.waiter == nil && settings.workers != nil
        accesses = begun
        madeBefore = UInt64(mi_scheduled_made_so_far())
        _ = mi_scheduled_touched_locks()
        let isTask = option.begins ? option.workItem.isTask : option.worker?.workItems.contains { $0.isTask } ?? false
        if isTask { recordAccess(.tasks) }
    }

    /// Passes what the ended step accessed to the strategy.
    func endStep(_ inProgressBefore: Int) {
        guard var ended = accesses else { return }
        if mi_scheduled_touched_locks() { ended.add(StepAccesses.Shared.locks.rawValue, .writes) }
        ended.takesWorker = settings.workers != nil && inProgress > inProgressBefore
        strategy.ended(ended)
    }

    func recordAccess(_ object: UInt64, _ access: StepAccesses.Access = .writes) {
        // No other work item knows what was made in this step.
        guard accesses != nil, object <= madeBefore || object > UInt64(UInt32.max) else { return }
        accesses?.add(object, access)
    }

    func recordAccess(_ shared: StepAccesses.Shared) { recordAccess(shared.rawValue) }

    /// Records that work for a queue is handed over, begins or ends.
    func recordAccess(_ queue: ScheduledQueue, isBarrier: Bool) {
        guard accesses != nil else { return }
        queue.forEachUpwards { above, _ in
            let isAlone = !above.isConcurrent || above === tasks || (isBarrier && above === queue)
            recordAccess(above.identity, isAlone ? .writes : .adds)
        }
    }

    /// Records that a work item begins, ends, or is cancelled.
    func recordAccess(_ item: UnsafeMutablePointer<mi_scheduled_item>?, _ access: StepAccesses.Access = .writes) {
        guard accesses != nil, let item else { return }
        recordAccess(mi_scheduled_identity(item.pointee.made, item), access)
    }
}
#endif
