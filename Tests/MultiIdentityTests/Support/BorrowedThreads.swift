import Dispatch

@testable import MultiIdentity

/// A task executor that runs every job on a thread with an open scope, as a server's event loop might.
///
/// After each job it checks that the thread is unchanged.
final class BorrowedThreads: TaskExecutor {
    private let owner: Identity?
    private let queue = DispatchQueue(label: "borrowed")
    private let looks = Notes<Look>()

    init(of owner: Identity?) { self.owner = owner }

    /// The state of the thread after each job so far.
    var looksAfterJobs: [Look] { looks.all }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in
            withIdentity(owner) {
                job.runSynchronously(on: asUnownedTaskExecutor())
                looks.add(Look())
            }
        }
    }
}
