#if os(Linux)
import CMultiIdentityScheduling
import Foundation
import MultiIdentity

/// One run of a body under one schedule: one piece of work runs at a time, and at each step a strategy decides which.
///
/// `@unchecked Sendable`: at any time one thread holds the token, and only that thread uses this object. The turn is passed on
/// with a semaphore, which orders what one thread did before what the next one does.
final class Schedule: @unchecked Sendable {
    /// The current schedule; one at a time in a process, enforced by ``ScheduleRunner``.
    ///
    /// `nonisolated(unsafe)`: set while no work item runs; read by the thread that holds the token.
    nonisolated(unsafe) static var current: Schedule?

    var strategy: any SchedulingStrategy
    let settings: ScheduleSettings
    var steps: [ScheduleStep] = []
    var hash = ScheduleHash()
    let seesEveryStep: Bool
    /// The checks of the first choices, as another run of the same choices had them.
    let expected: [UInt8]
    /// The place where this run differs.
    var divergence: String?
    var timeline = ScheduleTimeline()
    /// The number of the schedule, from 0.
    var number = 0

    private var queues: [UnsafeMutableRawPointer: ScheduledQueue] = [:]
    /// In the order of first use: the order of a dictionary differs from process to process.
    private(set) var allQueues: [ScheduledQueue] = []
    /// Indicates whether any queue has a target: otherwise no queue has to wait for its turn on another.
    private(set) var hasTargets = false
    let tasks: ScheduledQueue
    /// The threads that the program starts: each is a work item with its own worker.
    private(set) lazy var threads: ScheduledQueue = {
        let queue = ScheduledQueue(allQueues.count, handle: nil, isConcurrent: true, target: nil, name: "threads")
        allQueues.append(queue)
        return queue
    }()
    /// Their work items, by the thread's system number.
    var threadItems: [UInt: ScheduledWorkItem] = [:]
    var threadCount = 0
    private var groups: [UnsafeMutableRawPointer: ScheduledGroup] = [:]
    private var semaphores: [UnsafeMutableRawPointer: ScheduledSemaphore] = [:]
    private var sources: [UnsafeMutableRawPointer: ScheduledSource] = [:]
    /// The work that an item notifies when it has run.
    var itemNotifications:
        [(item: UnsafeMutablePointer<mi_scheduled_item>, queue: ScheduledQueue, work: mi_scheduled_work)] = []

    /// The moments before the end of an item's work.
    var ends: [UnsafeMutableRawPointer: ScheduledClock] = [:]
    /// The last moment of each work item.
    var moments = ScheduledClock()
    var conditionWaiters: [ConditionWaiter] = []
    /// The work items that have reached a barrier, by its address.
    var barriers: [UnsafeMutableRawPointer: ConditionWaiter] = [:]
    var lockNumbers: [UnsafeRawPointer: Int] = [:]
    /// The calls of `Task.yield`, by the task's number.
    var polls: [UnsafeMutableRawPointer: ScheduledPolls] = [:]
    /// Globals that are being initialized.
    var onces: [(predicate: UnsafeMutableRawPointer, step: Int)] = []
    /// Inactive queues that were activated.
    var activated: Set<UnsafeMutableRawPointer> = []

    /// A work item that can run.
    struct Option {
        let workItem: ScheduledWorkItem
        /// The worker that runs it, or waits to run it.
        let worker: ScheduledWorker?
        var begins = false
        /// True for the clock, which advances before work that could run.
        var isTime = false
    }

    /// The options of the step that is being chosen.
    var options: [Option] = []
    /// The number of steps that have begun.
    var stepCount = 0
    /// The objects that the current step has accessed; `nil` if the strategy does not use them.
    var accesses: StepAccesses?
    /// The number of objects that were made before the current step.
    var madeBefore: UInt64 = 0
    /// The number of workers with a work item that does not wait.
    var inProgress = 0
    /// The number of tasks that have begun and wait: each occupies a thread of Swift's pool.
    var blockedTasks = 0
    let poolWidth: Int
    private(set) var workItemCount = 0
    /// Workers with a work item that has begun.
    var busy: [ScheduledWorker] = []
    var idle: [ScheduledWorker]
    var workerCount: Int
    /// The worker that holds the token; `nil` before the first work item.
    var worker: ScheduledWorker?

    var timers: [(time: UInt64, repeats: Bool, happen: () -> Void)] = []
    /// The time that work may take, and how far and how often time has advanced before work.
    let workTime: UInt64
    var earlyTime: UInt64 = 0
    var earlyMoments = 0
    /// True if time has advanced before the step that begins next, although other options existed.
    var timeHasPassed = false
    /// The clock as a work item, whose priority decides when time advances; `nil` while it is not drawn.
    var clockItem: ScheduledWorkItem?
    var isOver = false
    /// Called once nothing can run any more, by a thread that is not controlled from there on.
    var whenOver: () -> Void = {}

    /// What is wrong with it.
    private(set) var findings: [String] = []
    var hasBodyEnded = false
    /// Prints what led to a signal that ends the program.
    var reportCrash: (_ signal: Int32) -> Void = { _ in }

    init(
        _ settings: ScheduleSettings,
        strategy: any SchedulingStrategy,
        expecting expected: [UInt8] = [],
        idle: [ScheduledWorker],
        workerCount: Int
    ) {
        self.settings = settings
        self.strategy = strategy
        self.expected = expected
        seesEveryStep = strategy.seesEveryStep
        self.idle = idle
        self.workerCount = workerCount
        poolWidth = settings.poolWidth ?? ProcessInfo.processInfo.activeProcessorCount
        let (seconds, attoseconds) = settings.workTime.components
        workTime = UInt64(clamping: seconds) &* 1_000_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000)
        tasks = ScheduledQueue(0, handle: nil, isConcurrent: true, target: nil, name: "tasks")
        allQueues = [tasks]
        mi_scheduled_set_time(0)
        mi_scheduled_forget_locks()
        mi_scheduled_count_anew()
        mi_scheduled_draw_anew()
        if strategy.isReducing { accesses = StepAccesses() }
    }

    // MARK: Objects

    func queue(_ handle: UnsafeMutableRawPointer) -> ScheduledQueue {
        if let queue = queues[handle] { return queue }
        let known = mi_scheduled_known(handle)
        let label = String(cString: mi_scheduled_label(handle))
        // `Task.yield` and `Task.sleep` use it.
        if label == "Swift global concurrent queue" {
            queues[handle] = tasks
            return tasks
        }
        let isGlobal = label.hasPrefix("com.apple.root.")
        let target = mi_scheduled_made_with_target(handle).map { self.queue($0) }
        let queue = ScheduledQueue(
            allQueues.count,
            handle: handle,
            isConcurrent: isGlobal || known & 1 != 0,
            isGlobal: isGlobal,
            target: isGlobal ? nil : target
        )
        if known & 2 != 0 { queue.suspensions = 1 }
        if queue.target != nil { hasTargets = true }
        queues[handle] = queue
        allQueues.append(queue)
        return queue
    }

    func setTarget(of queue: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer?) {
        recordAccess(self.queue(queue), isBarrier: true)
        self.queue(queue).target = target.map { self.queue($0) }
        recordAccess(self.queue(queue), isBarrier: true)
        if target != nil { hasTargets = true }
    }

    func group(_ handle: UnsafeMutableRawPointer) -> ScheduledGroup {
        if let group = groups[handle] { return group }
        let group = ScheduledGroup(handle)
        groups[handle] = group
        return group
    }

    /// Returns a group if it counts something.
    func enteredGroup(_ handle: UnsafeMutableRawPointer) -> ScheduledGroup? {
        groups[handle].flatMap { $0.count > 0 ? $0 : nil }
    }

    func semaphore(_ handle: UnsafeMutableRawPointer) -> ScheduledSemaphore {
        if let semaphore = semaphores[handle] { return semaphore }
        let semaphore = ScheduledSemaphore(handle)
        semaphores[handle] = semaphore
        return semaphore
    }

    /// Forgets a source, which fires no more.
    func forgetSource(_ source: UnsafeMutableRawPointer) { sources.removeValue(forKey: source)?.end() }

    /// Counts a semaphore's references: libdispatch ends a program that releases one with less than its initial value.
    func count(_ references: Int, of handle: UnsafeMutableRawPointer) {
        guard !semaphores.isEmpty, let semaphore = semaphores[handle], semaphore.isOfSchedule else { return }
        semaphore.references += references
        if semaphore.references == 0, semaphore.value < semaphore.valueAtFirst {
            let (value, first) = (semaphore.value, semaphore.valueAtFirst)
            find("a semaphore was released while in use: its value is \(value), and was \(first) when it was made")
        }
    }

    // MARK: Handing over

    @discardableResult
    func enqueue(
        _ work: mi_scheduled_work,
        on queue: ScheduledQueue,
        group: ScheduledGroup? = nil,
        waiter: ScheduledWorker? = nil,
        after delay: UInt64 = 0,
        behind clock: ScheduledClock? = nil
    ) -> ScheduledWorkItem {
        // What a thread runs inside its work item has that work item's priority.
        let priority = waiter?.workItem == nil ? strategy.priority() : 0
        let workItem = ScheduledWorkItem(
            workItemCount,
            on: queue,
            work,
            group: group,
            waiter: waiter,
            priority: priority
        )
        (workItem.made, workItem.isTask) = (stepCount, queue === tasks)
        workItemCount += 1
        recordAccess(queue, isBarrier: workItem.isBarrier)
        if let group {
            group.count += 1
            recordAccess(group.identity, .adds)
        }
        release(into: &workItem.clock)
        if let clock { workItem.clock.join(clock) }
        if delay > 0 {
            at(Self.time(now, plus: delay)) { queue.pending.append(workItem) }
        } else {
            queue.pending.append(workItem)
        }
        hash.add(queue.key)
        note(.handsOver(workItem.number, to: queue.label))
        return workItem
    }

    /// Returns a later time, at most the end of time.
    static func time(_ time: UInt64, plus delay: UInt64) -> UInt64 {
        let (later, isBehindTheEnd) = time.addingReportingOverflow(delay)
        return isBehindTheEnd ? .max : later
    }

    /// Schedules an action at a virtual time, when nothing else can run; never at the end of time, which does not come.
    func at(_ time: UInt64, repeats: Bool = false, _ happen: @escaping () -> Void) {
        guard time < .max else { return }
        recordAccess(.time)
        let index = timers.firstIndex { $0.time > time } ?? timers.endIndex
        timers.insert((time, repeats, happen), at: index)
    }

    func source(_ handle: UnsafeMutableRawPointer) -> ScheduledSource? {
        guard !sources.isEmpty, let source = sources[handle] else { return nil }
        recordAccess(source.identity)
        return source
    }

    func addSource(
        _ handle: UnsafeMutableRawPointer,
        _ kind: mi_scheduled_source_kind,
        on queue: UnsafeMutableRawPointer?
    ) {
        let identity = mi_scheduled_identity_of(handle)
        var queue = queue.map { self.queue($0) } ?? tasks
        if queue.isConcurrent {
            // Handlers of one source run one at a time on any queue.
            queue = ScheduledQueue(
                allQueues.count,
                handle: nil,
                isConcurrent: false,
                target: queue,
                name: queue.label
            )
            queue.identity = identity
            hasTargets = true
            allQueues.append(queue)
        }
        sources[handle] = ScheduledSource(kind, on: queue, identity: identity)
    }

    var now: UInt64 { mi_scheduled_time() }

    func find(_ finding: String) { if findings.count < 100 { findings.append(finding) } }

    func note(_ event: ScheduleTimeline.Event, of worker: ScheduledWorker? = nil) {
        let worker = worker ?? self.worker
        timeline.add(event, by: worker?.workItem?.number, thread: worker?.number, at: now)
    }
}
#endif
