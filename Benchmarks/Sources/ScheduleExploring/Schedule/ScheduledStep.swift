/// One step of a schedule: who does what.
struct ScheduledStep: Hashable, Sendable {
    var worker: ScheduledWorker
    var action: Action

    /// An action of a worker; `work` is always the number of a piece of work, which its first step makes.
    enum Action: Hashable, Sendable {
        /// Opens a scope.
        case bind(HeldIdentity)
        /// Opens a scope of process and UI levels of its own, which are unset at first.
        case ownLevels
        case setProcess(HeldIdentity)
        case setUI(HeldIdentity)
        /// Leaves the innermost scope, or ends the work that runs here.
        case leave(Leaving)

        /// Takes a snapshot and wraps a closure in it.
        case capture(work: Int)
        /// Calls the wrapped closure, here and now.
        case call(work: Int)

        case async(queue: Int, work: Int)
        case barrier(queue: Int, work: Int)
        /// As `async`, counted for the group.
        case grouped(queue: Int, work: Int)
        case sync(queue: Int, work: Int)
        /// Has a queue run its next work; the worker is the queue.
        case run

        case makeItem(work: Int)
        case dispatch(work: Int, queue: Int)
        case perform(work: Int)
        /// Registers `work` to be notified when the item has run.
        case observe(item: Int, queue: Int, work: Int)

        case enterGroup
        case leaveGroup
        /// Registers `work` to be notified when the group is empty.
        case notify(queue: Int, work: Int)

        /// `Task {}`, which inherits.
        case task(work: Int)
        /// `Task.propagatingIdentity.detached {}`.
        case detached(work: Int)
        /// `Task.detached {}`, which carries nothing.
        case bareDetached(work: Int)
        /// Suspends this task on a continuation.
        case suspend
        /// Resumes that of another task, from here.
        case resume(work: Int)

        /// Cancels an item or a task.
        case cancel(work: Int)
        /// Lets go of an item or of a wrapped closure.
        case drop(work: Int)
        /// Hands work over a boundary of the adopter's, or only prepares it where something else lets it run.
        case over(boundary: String, work: Int)
        /// Lets work run that was prepared: by handing it over, or by draining the boundary.
        case fire(work: Int)
    }
}
