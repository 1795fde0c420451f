#if os(Linux)
import CMultiIdentityScheduling

/// Work that was handed over: what a schedule puts in order.
final class ScheduledPiece {
    /// By the order in which pieces were handed over.
    let number: Int
    let queue: ScheduledQueue
    let work: mi_scheduled_work
    /// The group that counts it.
    let group: ScheduledGroup?
    /// The worker that waits for it and runs it; `nil` where any does.
    let waiter: ScheduledWorker?
    /// By the strategy of priorities: the highest goes first.
    var priority: UInt64

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
        self.group = group
        self.waiter = waiter
        self.priority = priority
        if let handle = queue.handle { mi_scheduled_retain(handle) }
        if let item = work.item { mi_scheduled_item_retain(item) }
    }

    deinit {
        if let item = work.item { mi_scheduled_item_release(item) }
        if let handle = queue.handle { mi_scheduled_release(handle) }
    }
}

/// A dispatch group as a schedule knows it.
final class ScheduledGroup {
    var count = 0
    /// Work for when it is empty, with the queue.
    var notifications: [(queue: ScheduledQueue, work: mi_scheduled_work)] = []
}

/// A semaphore as a schedule knows it.
final class ScheduledSemaphore {
    var value: Int
    init(_ value: Int) { self.value = value }
}
#endif
