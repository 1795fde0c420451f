#if os(Linux)
import CMultiIdentityScheduling

// Locks, conditions and semaphores of the C library, and Swift's `Mutex`.
extension Schedule {
    /// Lets another work item run before this one uses a lock.
    func step(_ step: mi_scheduled_step, _ object: UnsafeRawPointer?) {
        guard let worker, let workItem = worker.workItem, worker.onces.isEmpty else { return }
        note(.does(step, number(of: object)))
        if step == mi_step_poll {
            workItem.behind = workItem.polls.add(stepCount)
        }
        passToken(from: worker)
    }

    /// Lets another work item run before a task does something that others can see.
    func taskStep(_ step: mi_scheduled_step, _ task: UnsafeMutableRawPointer?) {
        guard let worker, let workItem = worker.workItem, worker.onces.isEmpty else { return }
        note(.does(step, nil))
        if let task {
            // It runs on as another work item.
            workItem.behind = polls[task, default: ScheduledPolls()].add(stepCount)
        }
        passToken(from: worker)
        recordAccess(.tasks)
    }

    /// Returns a lock's number in reports, by the order in which they are used.
    func number(of lock: UnsafeRawPointer?) -> Int? {
        guard let lock else { return nil }
        if let number = lockNumbers[lock] { return number }
        lockNumbers[lock] = lockNumbers.count + 1
        return lockNumbers.count
    }

    /// Waits until no other work item has a lock; returns whether that happens in time.
    func waitForLock(_ lock: UnsafeRawPointer, _ how: UInt32, timeout: UInt64) -> Bool {
        let thread = mi_scheduled_get_here()
        let what = "lock \(number(of: lock) ?? 0)"
        return wait(for: what, locks, delay: mi_scheduled_until(timeout), lock: (lock, how)) {
            mi_scheduled_is_free(lock, thread, how)
        }
    }

    private var locks: UInt64 { StepAccesses.Shared.locks.rawValue }

    /// Returns in words which work item has the lock that another one waits for.
    func holder(_ wait: ScheduledWorker.Wait, of worker: ScheduledWorker) -> String {
        guard let lock = wait.lock else { return "" }
        let here = UInt32(worker.number) + 1
        let holder = mi_scheduled_holder(lock.address, here, lock.how)
        if holder == here { return ", which it has itself" }
        guard holder != 0 else { return "" }
        guard let workItem = busy.first(where: { UInt32($0.number) + 1 == holder })?.workItem else {
            return ", which a work item that has ended left locked"
        }
        return ", which work item \(workItem.number) on \(workItem.queue.label) has"
    }

    func waitForCondition(_ condition: UnsafeMutableRawPointer, timeout: UInt64) -> Bool {
        let waiter = ConditionWaiter(condition)
        conditionWaiters.append(waiter)
        recordAccess(.locks)
        let isSignalled = wait(for: "a condition", locks, timeout: timeout) { waiter.isSignalled }
        conditionWaiters.removeAll { $0 === waiter }
        return isSignalled
    }

    /// Wakes all that wait for a condition, or the one that has waited longest.
    func signalCondition(_ condition: UnsafeMutableRawPointer, all: Bool) {
        recordAccess(.locks)
        for waiter in conditionWaiters where waiter.condition == condition && !waiter.isSignalled {
            waiter.isSignalled = true
            if !all { break }
        }
    }

    /// A work item that waits for a condition.
    final class ConditionWaiter {
        let condition: UnsafeMutableRawPointer
        var isSignalled = false
        /// The number of work items that have reached a barrier.
        var count = 0
        init(_ condition: UnsafeMutableRawPointer) { self.condition = condition }
    }

    func waitForSemaphore(_ semaphore: UnsafeMutableRawPointer, timeout: UInt64) -> Bool {
        wait(for: "a sem_t", locks, timeout: timeout) { mi_scheduled_semaphore_value(semaphore) > 0 }
    }

    /// Waits until as many work items have arrived as the barrier was made for; returns whether this was the last.
    func waitAtBarrier(_ barrier: UnsafeMutableRawPointer) -> Bool {
        recordAccess(.locks)
        let coming = barriers[barrier] ?? ConditionWaiter(barrier)
        coming.count += 1
        let isLast = coming.count >= mi_scheduled_known(barrier)
        barriers[barrier] = isLast ? nil : coming
        if isLast {
            coming.isSignalled = true
            yield()
        } else {
            _ = wait(for: "a barrier", locks, timeout: .max) { coming.isSignalled }
        }
        return isLast
    }

    func sleep(_ duration: UInt64) {
        if duration == 0 { return step(mi_step_poll, nil) }
        _ = wait(for: "its sleep", StepAccesses.Shared.time.rawValue, delay: duration) { false }
    }
}
#endif
