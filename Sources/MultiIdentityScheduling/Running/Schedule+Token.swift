#if os(Linux)
import CMultiIdentityScheduling
import MultiIdentity
import Synchronization

// How workers get the token.
extension Schedule {
    /// Runs work items on a worker's thread, for ever.
    static func live(_ worker: ScheduledWorker) {
        mi_scheduled_set_here(UInt32(worker.number) + 1)
        mi_scheduled_thread_known()
        while true {
            mi_scheduled_set_here(UInt32(worker.number) + 1)
            current?.runWorkItems(worker)
            mi_scheduled_set_here(0)
            // Prepares the next schedule, which begins on this thread.
            if let job = worker.takeJob() { job.runSynchronously(on: ScheduleExecutor.shared.asUnownedTaskExecutor()) }
            worker.waitForToken()
        }
    }

    private func runWorkItems(_ worker: ScheduledWorker) {
        while let workItem = worker.workItem {
            workItem.work.function(workItem.work.context)
            if Identity.shownHere != nil {
                find("work item \(workItem.number) on \(workItem.queue.label) left its worker an identity")
            }
            finish(workItem, of: worker)
            busy.removeAll { $0 === worker }
            idle.append(worker)
            // If another worker goes on, this one must not read anything here any more.
            guard passToken(from: nil) else { return }
        }
    }

    /// Lets another work item run first, if the strategy says so.
    func yield() {
        guard let worker, worker.workItem != nil, worker.onces.isEmpty else { return }
        passToken(from: worker)
    }

    /// Chooses who runs next, and returns once it is `from`; without `from`, returns at once.
    /// - Returns: Whether this thread holds the token.
    @discardableResult
    func passToken(from: ScheduledWorker?) -> Bool {
        ScheduleWatch.progress.wrappingAdd(1, ordering: .relaxed)
        if max(steps.count, stepCount / 10) >= settings.steps, !isOver {
            find("more than \(settings.steps) steps: do work items hand themselves over for ever?")
            return end(from: from)
        }
        while true {
            let inProgressBefore = inProgress
            findOptions(from)
            endStep(inProgressBefore)
            while options.isEmpty {
                guard goForwardInTime() else { return end(from: from) }
                findOptions(from)
            }
            if goForwardForPollers() { findOptions(from) }
            let option = options[choose()]
            beginStep(option)
            guard option.isTime else { return take(option, from: from) }
            goForwardEarly()
        }
    }

    private func findOptions(_ from: ScheduledWorker?) {
        options.removeAll(keepingCapacity: true)
        if let from, let workItem = from.workItem, canGoOn(from) {
            options.append(Option(workItem: workItem, worker: from))
        }
        inProgress = 0
        blockedTasks = 0
        for worker in busy {
            let isReady = canGoOn(worker)
            if !isReady, worker.workItems.first?.queue === tasks { blockedTasks += 1 }
            if isReady || worker.wait == nil { inProgress += 1 }
            if worker !== from, isReady, let workItem = worker.workItem {
                options.append(Option(workItem: workItem, worker: worker))
            }
        }
        for queue in allQueues where !queue.pending.isEmpty {
            for workItem in queue.firstInLine where queue.canBegin(workItem) && isInTurn(workItem) {
                if workItem.waiter == nil, let most = settings.workers, inProgress >= most { continue }
                if queue === tasks, blockedTasks >= poolWidth { continue }
                options.append(Option(workItem: workItem, worker: workItem.waiter, begins: true))
            }
        }
        addTimeToOptions()
        putPollersBehind()
    }

    private func canGoOn(_ worker: ScheduledWorker) -> Bool {
        guard let wait = worker.wait else { return true }
        guard let isOver = wait.isOver else { return false }
        return isOver() || wait.deadline.map { $0 <= now } ?? false
    }

    /// Returns whether it is the turn of a work item's queue on the queues that it targets: a serial one stays with the queue
    /// that it last took work from until that is empty, and then takes the one that came first.
    private func isInTurn(_ workItem: ScheduledWorkItem) -> Bool {
        guard hasTargets else { return true }
        var isInTurn = true
        workItem.queue.forEachUpwards { queue, branch in
            if !queue.isConcurrent, isInTurn { isInTurn = isNext(branch, on: queue) }
        }
        return isInTurn
    }

    private func isNext(_ branch: ScheduledQueue, on target: ScheduledQueue) -> Bool {
        var (own, others) = (Int.max, Int.max)
        for queue in allQueues {
            guard let oldest = queue.pending.first?.number else { continue }
            var through: ScheduledQueue?
            var isSuspended = false
            queue.forEachUpwards { above, from in
                if above === target { through = from }
                if through == nil, above.suspensions > 0 { isSuspended = true }
            }
            // A suspended queue is in no line.
            guard let through, !isSuspended else { continue }
            if through === branch { own = min(own, oldest) } else { others = min(others, oldest) }
        }
        return target.lastBranch == branch.number || own < others
    }

    private func take(_ option: Option, from: ScheduledWorker?) -> Bool {
        let workItem = option.workItem
        hash.add(workItem.number)
        (workItem.lastStep, workItem.behind) = (stepCount, nil)
        if option.begins {
            workItem.queue.begin(workItem)
            recordAccess(workItem.queue, isBarrier: workItem.isBarrier)
            recordAccess(workItem.work.item)
            if settings.findsRaces {
                workItem.queue.acquire(for: workItem)
                tick(workItem)
            }
            if let waiter = workItem.waiter {
                waiter.wait = nil
                if waiter.workItems.isEmpty { busy.append(waiter) }
                waiter.workItems.append(workItem)
                note(.begins(workItem.number, on: workItem.queue.label), of: waiter)
                return hand(to: waiter, from: from)
            }
            guard let worker = idleWorker() else { return end(from: from) }
            worker.workItems = [workItem]
            busy.append(worker)
            note(.begins(workItem.number, on: workItem.queue.label), of: worker)
            return hand(to: worker, from: from)
        }
        guard let worker = option.worker else { return false }
        return hand(to: worker, from: from)
    }

    /// The worker that ended its work item last goes on with the next one without a thread switch.
    private func idleWorker() -> ScheduledWorker? {
        if let worker = idle.popLast() { return worker }
        let worker = ScheduledWorker(workerCount)
        workerCount += 1
        guard worker.start() else {
            find("no thread can be started in addition to the existing \(workerCount - 1)")
            return nil
        }
        return worker
    }

    private func hand(to next: ScheduledWorker, from: ScheduledWorker?) -> Bool {
        let before = worker
        worker = next
        guard next !== before else { return true }
        // From here on the schedule does not control this thread: what it does is not recorded until it holds the token again.
        let here = mi_scheduled_get_here()
        mi_scheduled_set_here(0)
        next.goOn()
        guard let from else { return false }
        from.waitForToken()
        mi_scheduled_set_here(here)
        return true
    }

    // MARK: The end

    /// Ends the schedule because nothing can run any more.
    private func end(from: ScheduledWorker?) -> Bool {
        isOver = true
        if hasBodyEnded, busy.contains(where: { $0.isOfProgram && $0.wait != nil }) {
            find("the body has ended, but threads that it started still wait: end them before it returns")
        }
        for worker in busy {
            guard let wait = worker.wait, let workItem = worker.workItem else { continue }
            let whom = wait.identity.map { "as \($0)" } ?? "with no identity"
            let what = wait.what + holder(wait, of: worker)
            find("work item \(workItem.number) on \(workItem.queue.label) waits for ever, \(whom): \(what)")
        }
        for queue in allQueues where !queue.pending.isEmpty {
            let isBlocked = queue === tasks && blockedTasks >= poolWidth
            let why =
                isBlocked
                ? "all \(poolWidth) threads of Swift's pool are blocked"
                : queue.suspensions > 0 ? "the queue is suspended" : "the work before it has not ended"
            find("\(queue.pending.count) work items never ran on \(queue.label): \(why)")
        }
        if !hasBodyEnded { find("the body did not end: it waits for something that will never happen") }
        // A thread whose work has not ended can never be used again, and a thread of the program is about to end.
        ScheduleExecutor.worker = from == nil && worker?.isOfProgram != true ? worker : nil
        mi_scheduled_set_here(0)
        whenOver()
        from?.waitForToken()
        return false
    }
}
#endif
