import Dispatch

/// `async let`.
///
/// The parent is asked when the child has been awaited. Both run on one queue: where they run side by side, Swift before
/// 6.4 reads the child's memory after the parent may have freed it (Docs/Decisions/0016).
struct AsyncLet: Boundary {
    let name = "async let"
    private let executor = Serially()

    func handOver(_ hop: Hop, _ way: Way) {
        hop.request.enter()
        Task(executorPreference: executor) {
            async let end: Void = hop.run()
            await end
            hop.check(hop.request.expected, .worker, isOnMain: false)
            hop.request.leave()
        }
    }
}

/// Runs a task and its children one after the other.
private final class Serially: TaskExecutor {
    private let queue = DispatchQueue(label: "stress.async-let")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
