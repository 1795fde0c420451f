import CMultiIdentity
import Dispatch

/// An executor that runs tasks on an identity queue, and reports whose task runs.
///
/// ```swift
/// let executor = IdentityTaskExecutor(on: IdentityQueue.global())
/// await withTaskExecutorPreference(executor) {
///     await withIdentity(ada) { await report.render() }  // charged and shown as ada, across every suspension
/// }
/// ```
///
/// Task-local values carry the identity through tasks on any executor. But Swift does not report which task a thread turns to: this
/// executor charges each run of a task, from where it is resumed to where it suspends, to the identity bound in it
/// (`IdentityAccounts` of MultiIdentityDiagnostics), shows it to profilers, counts it for the limits of its tree, and lets it take
/// its identity's turns if the queue is fair. Jobs of default actors, which run several tasks, are nobody's.
public final class IdentityTaskExecutor: TaskExecutor {
    private let queue: IdentityQueue

    /// Creates an executor.
    ///
    /// - Parameter queue: The queue that the tasks run on. On a serial one, one task runs at a time.
    public init(on queue: IdentityQueue) { self.queue = queue }

    /// Hands a job to the queue.
    ///
    /// Swift's runtime calls it.
    ///
    /// - Parameter job: The job.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let run: @Sendable () -> Void = { [self] in
            TaskRun.run(job.address) { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
        if let turns = queue.turns {
            let start: @Sendable () -> Bool = {
                run()
                return true
            }
            return turns.add(.started(start), for: TaskRun.identity(of: job.address))
        }
        let task = mi_dispatch_for_itself_begin()
        defer { mi_dispatch_for_itself_end(task) }
        queue.base.async(execute: run)
    }
}

extension UnownedJob {
    /// The address of the runtime's object, which is all that this is.
    fileprivate var address: UnsafeRawPointer { unsafeBitCast(self, to: UnsafeRawPointer.self) }
}
