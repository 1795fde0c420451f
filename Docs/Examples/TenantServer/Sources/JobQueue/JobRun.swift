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
        try db.execute(
            sql: """
                UPDATE jobs SET state = 'done', finished_at = ?, lease_token = NULL
                WHERE id = ? AND lease_token = ?
                """,
            arguments: [queue.now(), job.id, leaseToken]
        )
        if db.changesCount == 0 { throw lost }
    }

    /// Marks the job as done, unless ``finish(in:)`` did.
    func finishAfterHandler(in db: Database) throws {
        do {
            try finish(in: db)
        } catch let error as JobQueueError where error.code == .leaseLost {
            try mustBeDone(in: db)
        }
    }

    private func mustBeDone(in db: Database) throws {
        let state = try String.fetchOne(db, sql: "SELECT state FROM jobs WHERE id = ?", arguments: [job.id])
        if state != "done" { throw lost }
    }

    /// Has the lease run from now, unless the job is done.
    package func renew(for lease: Duration, in db: Database) throws {
        try db.execute(
            sql: "UPDATE jobs SET due_at = ? WHERE id = ? AND lease_token = ?",
            arguments: [queue.now() + lease.milliseconds, job.id, leaseToken]
        )
        if db.changesCount == 0 { try mustBeDone(in: db) }
    }

    /// The outcome for a job that failed.
    package enum Outcome: Sendable {
        case triedAgain, putAside
        /// It was done already, or is another worker's by now: nothing was changed.
        case anothers
    }

    /// Has the job begun again later, or puts it aside after its last attempt or a failure for good.
    package func fail(because error: any Error, retryAfter delay: Duration, in db: Database) throws -> Outcome {
        let isLast = job.attempt >= job.maximumAttempts || error is PermanentJobFailure
        let now = queue.now()
        try db.execute(
            sql: """
                UPDATE jobs SET state = ?, due_at = ?, finished_at = ?, last_error = ?, lease_token = NULL
                WHERE id = ? AND lease_token = ?
                """,
            arguments: [
                isLast ? "dead" : "waiting", now + delay.milliseconds, isLast ? now : nil, JobQueue.shown("\(error)"),
                job.id, leaseToken,
            ]
        )
        guard db.changesCount == 1 else { return .anothers }
        return isLast ? .putAside : .triedAgain
    }

    /// Gives the job back as if it had not been begun: it was this process that stopped.
    package func giveBack(in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE jobs SET state = 'waiting', attempt = attempt - 1, due_at = ?, lease_token = NULL
                WHERE id = ? AND lease_token = ?
                """,
            arguments: [queue.now(), job.id, leaseToken]
        )
    }

    private var lost: JobQueueError {
        JobQueueError(
            .leaseLost,
            """
            The lease on the job \(job.kind) \(job.id) ran out while it ran, and another worker may run it. Take longer \
            leases, or work that ends sooner.
            """
        )
    }
}
