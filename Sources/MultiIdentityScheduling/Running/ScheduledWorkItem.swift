#if os(Linux)
import CMultiIdentityScheduling

/// Handed-over work: what a schedule orders.
final class ScheduledWorkItem {
    /// The number in the order of hand-overs.
    let number: Int
    let queue: ScheduledQueue
    let work: mi_scheduled_work
    /// False on a global queue too, where libdispatch treats a barrier like any other work.
    let isBarrier: Bool
    /// The group that counts it.
    let group: ScheduledGroup?
    /// The worker that waits for it and runs it; `nil` if any worker does.
    let waiter: ScheduledWorker?
    /// The work item that its thread began with, if `sync` runs this one inside it.
    private let outermost: ScheduledWorkItem?
    /// The priority for the strategy of priorities: the highest runs first.
    var priority: UInt64
    var hasEnded = false
    /// The steps in which it was handed over, and was last chosen.
    var made = 0
    var lastStep = -1
    var polls = ScheduledPolls()
    /// The earlier step in which it had polled, if it has polled often and has not run since; otherwise `nil`.
    var behind: Int?
    /// True for a job of Swift's concurrency.
    var isTask = false
    /// The moments before its current one.
    var clock = ScheduledClock()

    init(
        _ number: Int,
        on queue: ScheduledQueue,
        _ work: mi_scheduled_work,
        group: ScheduledGroup? = nil,
        waiter: ScheduledWorker? = nil,
        priority: UInt64
    ) {
        self.number = number
        self.queue = queue
        self.work = work
        isBarrier = work.is_barrier && !queue.isGlobal
        outermost = waiter?.workItems.first
        self.group = group
        self.waiter = waiter
        self.priority = priority
        if let item = work.item { mi_scheduled_item_retain(item) }
    }

    deinit {
        if let item = work.item { mi_scheduled_item_release(item) }
    }

    /// Everything that one thread runs from its first work item to that work item's end has one priority.
    var strand: ScheduledWorkItem { outermost ?? self }
}

/// The steps in which a work item or a task has polled.
struct ScheduledPolls {
    private var count = 0, last = 0

    /// Adds a step, and returns the previous one after so many that the work item may wait for others: a few calls of
    /// `Task.yield` can represent work.
    mutating func add(_ step: Int) -> Int? {
        defer { (count, last) = (count + 1, step) }
        return count < 4 ? nil : last
    }
}

/// An object of libdispatch that is retained for the whole schedule, so that no other object gets its address.
class ScheduledObject {
    let handle: UnsafeMutableRawPointer?
    /// Equal in all schedules with the same steps so far.
    lazy var identity =
        handle.map { mi_scheduled_identity_of($0) } ?? StepAccesses.Shared.tasks.rawValue

    init(_ handle: UnsafeMutableRawPointer?) {
        self.handle = handle
        if let handle { mi_scheduled_retain(handle) }
    }

    deinit { if let handle { mi_scheduled_release(handle) } }
}

/// A dispatch group in a schedule.
final class ScheduledGroup: ScheduledObject {
    var count = 0
    /// The moments before each `leave`.
    var clock = ScheduledClock()
    /// The work to run when it is empty, with the queue.
    var notifications: [(queue: ScheduledQueue, work: mi_scheduled_work)] = []
}

/// A semaphore in a schedule.
final class ScheduledSemaphore: ScheduledObject {
    /// The moments before each signal.
    var clock = ScheduledClock()
    lazy var value = valueAtFirst
    private(set) lazy var valueAtFirst = handle.map { Int(mi_scheduled_known($0)) } ?? 0
    /// True if it was made in this schedule.
    var isOfSchedule: Bool { identity <= UInt64(UInt32.max) }
    /// The program's own references.
    var references = 1
}
#endif
