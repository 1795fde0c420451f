#if os(Linux)
import CMultiIdentityScheduling
import MultiIdentity

// Work items that end, and what waits for them.
extension Schedule {
    func finish(_ workItem: ScheduledWorkItem, of worker: ScheduledWorker) {
        note(.ends(workItem.number))
        recordAccess(workItem.queue, isBarrier: workItem.isBarrier)
        recordAccess(workItem.work.item)
        worker.workItems.removeLast()
        workItem.queue.end(workItem)
        workItem.hasEnded = true
        if settings.findsRaces { release(from: workItem, to: worker) }
        if let item = workItem.work.item {
            item.pointee.has_run = true
            notifyItems()
        }
        if let group = workItem.group { leave(group, after: workItem.clock) }
    }

    private func release(from workItem: ScheduledWorkItem, to worker: ScheduledWorker) {
        workItem.queue.release(from: workItem)
        if let item = workItem.work.item { ends[item, default: ScheduledClock()].join(workItem.clock) }
        // For `sync`: its caller runs after it.
        worker.workItem?.clock.join(workItem.clock)
    }

    func leave(_ group: ScheduledGroup, after clock: ScheduledClock? = nil) {
        group.count -= 1
        recordAccess(group.identity)
        release(into: &group.clock)
        if let clock { group.clock.join(clock) }
        guard group.count == 0 else { return }
        let notifications = group.notifications
        group.notifications = []
        for (queue, work) in notifications { enqueue(work, on: queue, behind: group.clock) }
    }

    func notifyItems() {
        let due = itemNotifications.filter { $0.item.pointee.has_run }
        guard !due.isEmpty else { return }
        itemNotifications.removeAll { $0.item.pointee.has_run }
        for (item, queue, work) in due {
            enqueue(work, on: queue, behind: ends[item])
            mi_scheduled_item_release(item)
        }
    }

    /// Waits until a condition is true, or the virtual time is up; returns whether it is true.
    func wait(for what: String, _ object: UInt64, timeout: UInt64, until isOver: @escaping () -> Bool) -> Bool {
        wait(for: what, object, delay: mi_scheduled_until(timeout), until: isOver)
    }

    /// Waits for at most so many nanoseconds, for an object or for all that a lock represents.
    func wait(
        for what: String,
        _ object: UInt64,
        delay: UInt64,
        lock: (address: UnsafeRawPointer, how: UInt32)? = nil,
        until isOver: @escaping () -> Bool
    ) -> Bool {
        guard let worker else { return isOver() }
        recordAccess(object, .reads)
        // The address of an object that was not made in this schedule means nothing.
        hash.add(Int(object <= UInt64(UInt32.max) ? object : 0))
        if delay == 0, !isOver() {
            yield()
            recordAccess(object, .reads)
            return isOver()
        }
        let deadline = Self.time(now, plus: delay)
        worker.wait = ScheduledWorker.Wait(
            what: what,
            identity: Identity.shownHere,
            deadline: deadline == .max ? nil : deadline,
            lock: lock,
            isOver: isOver
        )
        note(.waits(what))
        passToken(from: worker)
        worker.wait = nil
        recordAccess(object, .reads)
        return isOver()
    }

    /// Runs work on a queue, on this thread.
    func sync(_ work: mi_scheduled_work, on queue: ScheduledQueue) {
        guard let worker else { return work.function(work.context) }
        var isMain = false
        queue.forEachUpwards { queue, _ in isMain = isMain || queue.handle == mi_scheduled_main_queue() }
        if isMain {
            // On another thread, as libdispatch does.
            let workItem = enqueue(work, on: queue)
            _ = wait(for: "sync on \(queue.label)", queue.identity, timeout: .max) { workItem.hasEnded }
            return acquire(workItem.clock)
        }
        let workItem = enqueue(work, on: queue, waiter: worker)
        worker.wait = ScheduledWorker.Wait(
            what: "sync on \(queue.label)",
            identity: Identity.shownHere,
            deadline: nil,
            isOver: nil
        )
        passToken(from: worker)
        work.function(work.context)
        finish(workItem, of: worker)
        yield()
    }

    func beginOnce(_ predicate: UnsafeMutableRawPointer) {
        let globals = StepAccesses.Shared.globals.rawValue
        let isFree = { !self.onces.contains { $0.predicate == predicate } }
        if !isFree(), worker?.onces.contains(predicate) == false {
            _ = wait(for: "a global that another thread makes", globals, timeout: .max, until: isFree)
        }
        onces.append((predicate, stepCount))
        worker?.onces.append(predicate)
    }

    func endOnce(_ predicate: UnsafeMutableRawPointer) {
        if let index = onces.lastIndex(where: { $0.predicate == predicate }) {
            if onces[index].step != stepCount { recordAccess(.globals) }
            onces.remove(at: index)
        }
        worker?.onces.removeLast()
    }
}
#endif
