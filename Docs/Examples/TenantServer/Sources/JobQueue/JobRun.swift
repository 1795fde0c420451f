public import GRDB

/// A job being run, and the lease that makes it this worker's.
public struct JobRun: Sendable {
    /// The job.
    public let job: Job
    let leaseToken: String
    let queue: JobQueue

    /// Marks the job as done, in the transaction that has its effect: both are written, or neither.
    ///
    /// Without it the job is marked once its handler returns, and a process that is killed between the two begins the
    /// job again.
    ///
    /// - Parameter db: The connection, within a write.
    /// - Throws: ``JobQueueError`` with the code `leaseLost` where the job is another worker's by now; let it end the
    ///   transaction, so that the effect is undone. Whatever the database throws.
    public func finish(in db: Database) throws {
        if try db.change(finishing) == 0 { throw lost }
    }

    /// Marks the job as done, unless ``finish(in:)`` did.
    func finishAfterHandler(in store: some JobStore) async throws {
        if try await store.change(finishing) == 0 { try await mustBeDone(in: store) }
    }

    private func mustBeDone(in store: some JobStore) async throws {
        if try await store.state(of: job) != "done" { throw lost }
    }

    /// Has the lease run from now, unless the job is done.
    package func renew(for lease: Duration, in store: some JobStore) async throws {
        if try await store.change(renewing(for: lease)) == 0 { try await mustBeDone(in: store) }
    }

    /// The outcome for a job that failed.
    package enum Outcome: Sendable {
        case triedAgain, putAside
        /// It was done already, or is another worker's by now: nothing was changed.
        case anothers
    }

    /// Has the job begun again later, or puts it aside after its last attempt or a failure for good.
    package func fail(because error: any Error, retryAfter delay: Duration, in store: some JobStore) async throws
        -> Outcome
    {
        let isLast = job.attempt >= job.maximumAttempts || error is PermanentJobFailure
        let changes = try await store.change(failing(because: error, isLast: isLast, retryAfter: delay))
        guard changes == 1 else { return .anothers }
        return isLast ? .putAside : .triedAgain
    }

    /// Gives the job back as if it had not been begun: it was this process that stopped.
    package func giveBack(in store: some JobStore) async throws { _ = try await store.change(givingBack) }

    package var lost: JobQueueError {
        JobQueueError(
            .leaseLost,
            """
            The lease on the job \(job.kind) \(job.id) ran out while it ran, and another worker may run it. Take longer \
            leases, or work that ends sooner.
            """
        )
    }
}
