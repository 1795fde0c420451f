import Dispatch

/// A task executor that runs a task and its children one after the other.
///
/// For `async let`: if parent and child run in parallel, Swift before 6.4 reads the child's memory after the parent may have
/// freed it (Docs/Decisions/0016).
final class OneQueue: TaskExecutor {
    private let queue = DispatchQueue(label: "one queue")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
