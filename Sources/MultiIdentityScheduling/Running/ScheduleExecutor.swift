#if os(Linux)
import Dispatch

/// Runs the task that goes from one schedule to the next on the thread on which a schedule ended: the next one begins there
/// without a switch of threads.
final class ScheduleExecutor: TaskExecutor {
    static let shared = ScheduleExecutor()
    /// The worker with the thread that ends a schedule, if that thread can go on.
    ///
    /// `nonisolated(unsafe)`: touched by the one task that explores, and by the thread that resumes it.
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
