#if os(Linux)
import CMultiIdentityScheduling

/// The steps that calls of libdispatch's entry points take on controlled threads.
enum SchedulingHooks {
    /// What is missing now; the first use takes over the entry points.
    static var missing: String? {
        missingFromTheStart
            ?? mi_scheduling_other_owner().map { "Swift's executor hooks, which \(String(cString: $0)) has taken" }
    }

    private static let missingFromTheStart: String? = {
        if mi_scheduling_is_sanitized() {
            return "a build without the thread sanitizer, which takes the entry points itself"
        }
        if !mi_scheduling_hashes_alike() { return "SWIFT_DETERMINISTIC_HASHING=1 in the environment" }
        if !mi_scheduling_is_linked() { return "a dynamically linked Swift runtime" }
        var all = hooks
        return mi_scheduling_prepare(&all).map { String(cString: $0) }
    }()

    private static let hooks = mi_scheduling_hooks(
        async: { queue, work, group in
            guard let schedule = Schedule.current else { return }
            schedule.enqueue(work, on: schedule.queue(queue), group: group.map { schedule.group($0) })
            schedule.yield()
        },
        sync: { queue, work in
            guard let schedule = Schedule.current else { return }
            schedule.sync(work, on: schedule.queue(queue))
        },
        after: { when, queue, work in
            guard let schedule = Schedule.current else { return }
            schedule.enqueue(work, on: schedule.queue(queue), after: mi_scheduled_until(when))
            schedule.yield()
        },
        apply: { count, queue, iterate, context in
            Schedule.current?.iterate(count, on: queue) { iterate(context, $0) }
        },
        group_enter: { group in
            guard let schedule = Schedule.current else { return }
            let group = schedule.group(group)
            group.count += 1
            schedule.recordAccess(group.identity, .adds)
        },
        group_leave: { group in
            guard let schedule = Schedule.current, let known = schedule.enteredGroup(group) else { return false }
            schedule.leave(known)
            schedule.yield()
            return true
        },
        group_notify: { group, queue, work in
            guard let schedule = Schedule.current else { return }
            let group = schedule.group(group)
            schedule.recordAccess(group.identity)
            if group.count == 0 {
                schedule.enqueue(work, on: schedule.queue(queue), behind: group.clock)
            } else {
                group.notifications.append((schedule.queue(queue), work))
            }
            schedule.yield()
        },
        group_wait: { group, timeout in
            guard let schedule = Schedule.current else { return false }
            let group = schedule.group(group)
            let isEmpty = schedule.wait(for: "a group of \(group.count)", group.identity, timeout: timeout) {
                group.count == 0
            }
            if isEmpty { schedule.acquire(group.clock) }
            return isEmpty
        },
        semaphore_wait: { semaphore, timeout in
            guard let schedule = Schedule.current else { return false }
            let semaphore = schedule.semaphore(semaphore)
            let isSignalled = schedule.wait(for: "a semaphore", semaphore.identity, timeout: timeout) {
                semaphore.value > 0
            }
            if isSignalled {
                schedule.recordAccess(semaphore.identity)
                semaphore.value -= 1
                schedule.acquire(semaphore.clock)
            }
            return isSignalled
        },
        semaphore_signal: { semaphore in
            guard let schedule = Schedule.current else { return }
            let semaphore = schedule.semaphore(semaphore)
            semaphore.value += 1
            schedule.recordAccess(semaphore.identity)
            schedule.release(into: &semaphore.clock)
            schedule.yield()
        },
        item_wait: { item, timeout in
            guard let schedule = Schedule.current else { return false }
            let identity = mi_scheduled_identity(item.pointee.made, item)
            let hasRun = schedule.wait(for: "a work item", identity, timeout: timeout) { item.pointee.has_run }
            if hasRun, let end = schedule.ends[item] { schedule.acquire(end) }
            return hasRun
        },
        item_notify: { item, queue, work in
            guard let schedule = Schedule.current else { return }
            mi_scheduled_item_retain(item)
            schedule.recordAccess(item)
            schedule.itemNotifications.append((item, schedule.queue(queue), work))
            schedule.notifyItems()
            schedule.yield()
        },
        item_ended: { item in
            Schedule.current?.recordAccess(item)
            Schedule.current?.notifyItems()
        },
        item_cancelled: { item, isAsked in Schedule.current?.recordAccess(item, isAsked ? .reads : .writes) },
        set_target: { Schedule.current?.setTarget(of: $0, to: $1) },
        suspend: { object in
            guard let schedule = Schedule.current else { return }
            if let source = schedule.source(object) {
                source.suspensions += 1
            } else {
                let queue = schedule.queue(object)
                queue.suspensions += 1
                schedule.recordAccess(queue.identity)
            }
            schedule.yield()
        },
        resume: { object in Schedule.current?.resume(object) },
        activate: { object in Schedule.current?.activate(object) },
        current_queue: { depth in Schedule.current?.currentQueue(depth) },
        enqueue: { job, delay, isForMain in
            guard let schedule = Schedule.current else { return }
            let work = mi_scheduled_work_of_job(job, isForMain)
            let queue = isForMain ? schedule.queue(mi_scheduled_main_queue()) : schedule.tasks
            schedule.enqueue(work, on: queue, after: delay).isTask = true
            schedule.recordAccess(.tasks)
            schedule.yield()
        },
        task_step: { Schedule.current?.taskStep($0, $1) },
        once_begin: { Schedule.current?.beginOnce($0) },
        once_end: { Schedule.current?.endOnce($0) },
        step: { Schedule.current?.step($0, $1) },
        wait_for_lock: { Schedule.current?.waitForLock($0, $1, timeout: $2) ?? true },
        wait_for_condition: { Schedule.current?.waitForCondition($0, timeout: $1) ?? false },
        signal_condition: { Schedule.current?.signalCondition($0, all: $1) },
        wait_for_semaphore: { Schedule.current?.waitForSemaphore($0, timeout: $1) ?? false },
        wait_at_barrier: { Schedule.current?.waitAtBarrier($0) ?? false },
        sleep: { Schedule.current?.sleep($0) },
        crashed: { Schedule.current?.reportCrash($0) },
        thread_started: { thread, id in Schedule.current?.startThread(thread, id) },
        thread_begun: { (Schedule.current?.worker?.number).map { UInt32($0) + 1 } ?? 0 },
        thread_ended: { Schedule.current?.endThread() },
        thread_join: { Schedule.current?.joinThread($0) },
        source_created: { Schedule.current?.addSource($0, $1, on: $2) },
        source_set_timer: { source, start, interval in
            guard let schedule = Schedule.current, let source = schedule.source(source) else { return false }
            schedule.setTimer(of: source, start: start, interval: interval)
            return true
        },
        source_set_handler: { source, which, block in
            guard let source = Schedule.current?.source(source) else { return false }
            source.setHandler(which, block)
            return true
        },
        source_merge: { source, value in
            guard let schedule = Schedule.current, let source = schedule.source(source) else { return false }
            source.merge(value)
            schedule.deliver(source)
            schedule.yield()
            return true
        },
        source_data: { source, data in
            guard let source = Schedule.current?.source(source) else { return false }
            data.pointee = source.delivered
            return true
        },
        source_cancel: { source in
            guard let schedule = Schedule.current, let source = schedule.source(source) else { return }
            schedule.cancel(source)
            schedule.yield()
        },
        retained: { object in
            Schedule.current?.source(object)?.references += 1
            Schedule.current?.count(1, of: object)
        },
        released: { object in
            guard let schedule = Schedule.current else { return }
            schedule.count(-1, of: object)
            guard let source = schedule.source(object) else { return }
            source.references -= 1
            if source.references == 0 { schedule.forgetSource(object) }
        },
        refuse: { call in
            Schedule.current?.find("\(String(cString: call)) was called, which no schedule controls")
        }
    )
}

extension Schedule {
    func resume(_ object: UnsafeMutableRawPointer) {
        if let source = source(object) { return resume(source) }
        let queue = queue(object)
        queue.suspensions = max(0, queue.suspensions - 1)
        recordAccess(queue.identity)
        yield()
    }

    func activate(_ object: UnsafeMutableRawPointer) {
        if let source = source(object) { return source.isActive ? yield() : resume(source) }
        let queue = queue(object)
        if mi_scheduled_known(object) & 2 != 0, !activated.contains(object) {
            activated.insert(object)
            recordAccess(queue.identity)
            queue.suspensions = max(0, queue.suspensions - 1)
        }
        yield()
    }

    /// Returns the queue whose work runs here, or a queue that it targets; `nil` beyond the last, and in tasks.
    func currentQueue(_ depth: Int32) -> UnsafeMutableRawPointer? {
        guard let workItems = worker?.workItems else { return nil }
        var depth = depth
        for workItem in workItems.reversed() {
            var queue: ScheduledQueue? = workItem.queue
            while let here = queue {
                queue = here.target
                guard let handle = here.handle else { continue }
                if depth == 0 { return handle }
                depth -= 1
            }
            // Work that is not waited for has no surrounding work item.
            if workItem.waiter == nil { return nil }
        }
        return nil
    }
}
#endif
