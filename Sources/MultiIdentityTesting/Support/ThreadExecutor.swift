/// Runs each step of a task on a thread of its own.
///
/// For tasks that a blocked thread waits for: those of the shared pool may all be blocked themselves, as by boundaries
/// that make a task wait.
final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        startThread { [self] in
            withExtendedLifetime(self) { job.runSynchronously(on: executor) }
        }
    }
}
