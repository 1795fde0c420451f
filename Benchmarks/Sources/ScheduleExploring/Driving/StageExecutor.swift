import Dispatch

/// Runs one task on a queue of its own: its synchronous frames block their thread, which must not be one of the few that
/// all tasks of the program share.
final class StageExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "schedule.task")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
