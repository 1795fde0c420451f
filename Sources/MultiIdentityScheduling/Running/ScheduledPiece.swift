#if os(Linux)
import CMultiIdentityScheduling

/// Work that was handed over: what a schedule puts in order.
final class ScheduledPiece {
    /// By the order in which pieces were handed over.
    let number: Int
    let queue: ScheduledQueue
    let work: mi_scheduled_work
    /// False on a global queue too, where libdispatch takes a barrier for any other work.
    let isBarrier: Bool
    /// The group that counts it.
    let group: ScheduledGroup?
    /// The worker that waits for it and runs it; `nil` where any does.
    let waiter: ScheduledWorker?
    /// The piece that its thread began with, where `sync` runs this one inside it.
    private let outermost: ScheduledPiece?
    /// By the strategy of priorities: the highest goes first.
    var priority: UInt64
    var hasEnded = false
    /// The steps at whose time it was handed over, and was chosen last.
    var made = 0
    var lastStep = -1
    var polls = ScheduledPolls()
    /// While it has not gone on since it polled, the step in which it had polled before, where it has polled often.
    var behind: Int?
    /// True for a job of Swift's concurrency.
    var isTask = false
    /// The moments before those that it does something in.
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
        outermost = waiter?.pieces.first
        self.group = group
        self.waiter = waiter
        self.priority = priority
        if let item = work.item { mi_scheduled_item_retain(item) }
    }

    deinit {
        if let item = work.item { mi_scheduled_item_release(item) }
    }

    /// All that one thread does from the piece that it begins with to that one's end has one priority.
    var strand: ScheduledPiece { outermost ?? self }
}

/// The steps in which a piece or a task has polled.
struct ScheduledPolls {
    private var count = 0, last = 0

    /// Adds a step, and returns the one before, where there were so many that it may wait for others: `Task.yield` a few times
    /// stands for work.
    mutating func add(_ step: Int) -> Int? {
        defer { (count, last) = (count + 1, step) }
        return count < 4 ? nil : last
    }
}

/// An object of libdispatch's that is kept for the length of a schedule, so that no other one gets its address meanwhile.
class ScheduledObject {
    let handle: UnsafeMutableRawPointer?
    /// The same in all schedules with the same steps so far.
    lazy var identity =
        handle.map { mi_scheduled_identity_of($0) } ?? ScheduledTouches.Shared.tasks.rawValue

    init(_ handle: UnsafeMutableRawPointer?) {
        self.handle = handle
        if let handle { mi_scheduled_retain(handle) }
    }

    deinit { if let handle { mi_scheduled_release(handle) } }
}

/// A dispatch group as a schedule knows it.
final class ScheduledGroup: ScheduledObject {
    var count = 0
    /// The moments before each leaving.
    var clock = ScheduledClock()
    /// Work for when it is empty, with the queue.
    var notifications: [(queue: ScheduledQueue, work: mi_scheduled_work)] = []
}

/// A semaphore as a schedule knows it.
final class ScheduledSemaphore: ScheduledObject {
    /// The moments before each signal.
    var clock = ScheduledClock()
    lazy var value = valueAtFirst
    private(set) lazy var valueAtFirst = handle.map { Int(mi_scheduled_known($0)) } ?? 0
    /// True if it was made in this schedule.
    var isOfSchedule: Bool { identity <= UInt64(UInt32.max) }
    /// The program's own.
    var references = 1
}
#endif
