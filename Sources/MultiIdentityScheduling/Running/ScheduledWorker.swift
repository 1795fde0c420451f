#if os(Linux)
import CMultiIdentityScheduling
import Dispatch
import MultiIdentity

/// A thread that runs work items; only one of them runs at a time.
final class ScheduledWorker {
    /// The event that a worker waits for.
    struct Wait {
        /// In words, for the report of a deadlock.
        let what: String
        let identity: Identity?
        /// The virtual time at which it times out.
        let deadline: UInt64?
        /// The lock that it waits for.
        var lock: (address: UnsafeRawPointer, how: UInt32)?
        /// Returns whether it can stop waiting; `nil` for one that its own work item will wake.
        let isOver: (() -> Bool)?
    }

    let number: Int
    private(set) var thread: OpaquePointer?
    /// The work items that run here, the innermost last: `sync` runs one inside another.
    var workItems: [ScheduledWorkItem] = []
    var wait: Wait?
    /// Globals that are initialized here, the innermost last: meanwhile no other work item runs, unless this one waits.
    var onces: [UnsafeMutableRawPointer] = []

    /// A job that its thread runs before it waits for its next token.
    var job: UnownedJob?

    init(_ number: Int) { self.number = number }

    /// A thread that the program started, which ends with its work item.
    init(_ number: Int, ofProgram thread: OpaquePointer) { (self.number, self.thread) = (number, thread) }

    func takeJob() -> UnownedJob? {
        defer { job = nil }
        return job
    }

    /// Starts its thread, which runs `Schedule.work` each time it holds the token.
    func start() -> Bool {
        let context = Unmanaged.passRetained(self)
        thread = mi_scheduled_thread_start(
            { context in
                guard let context else { return }
                Schedule.live(Unmanaged<ScheduledWorker>.fromOpaque(context).takeUnretainedValue())
            },
            context.toOpaque()
        )
        if thread == nil { context.release() }
        return thread != nil
    }

    var workItem: ScheduledWorkItem? { workItems.last }

    func goOn() { if let thread { mi_scheduled_thread_go(thread) } }
    func waitForToken() { if let thread { mi_scheduled_thread_wait(thread) } }
}

/// Runs the task that leads from one schedule to the next on the thread on which a schedule ended: the next one begins
/// there without a thread switch.
final class ScheduleExecutor: TaskExecutor {
    static let shared = ScheduleExecutor()
    /// The worker whose thread ends a schedule, if that thread can continue.
    ///
    /// `nonisolated(unsafe)`: used by the one exploring task, and by the thread that resumes it.
    nonisolated(unsafe) static var worker: ScheduledWorker?

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let worker = Self.worker {
            Self.worker = nil
            worker.job = job
        } else {
            DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}
#endif
