/// A piece of work, from the step that makes it on.
struct ModelWork: Sendable {
    enum Kind: Sendable {
        /// Runs once: what a queue, a notification, a task or an adopter's boundary was given.
        case once
        case item
        case wrapped
        /// Prepared for a boundary of the adopter's, and run when somebody lets it.
        case prepared
        case task
    }

    /// The notification that follows when an item has run.
    struct Observer: Sendable {
        var queue: Int
        var work: Int
    }

    let kind: Kind
    /// The thread level at the capture point.
    let level: ModelThreadLevel
    /// True if the schedule can still name it to run, cancel or drop it.
    var isHeld = true
    var isPending = false
    var isRunning = false
    var isCancelled = false
    /// The times that an item has run, or was skipped since it was cancelled.
    var completions = 0
    var observer: Observer?
    var hasBeenObserved = false
    /// True if it counts for the group until it has run.
    var isGrouped = false
    /// The worker that waits for it.
    var waiter: ScheduledWorker?
    /// The adopter's boundary that it was handed over.
    var boundary: String?

    init(_ kind: Kind, _ level: ModelThreadLevel) {
        self.kind = kind
        self.level = level
    }

    /// An item that is notified of may run once only: libdispatch stops the program otherwise.
    var mayRunAsItem: Bool {
        kind == .item && isHeld && !isPending && !isRunning && !(hasBeenObserved && completions > 0)
    }
}
