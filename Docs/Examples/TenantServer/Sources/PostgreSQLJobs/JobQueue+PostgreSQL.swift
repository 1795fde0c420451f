public import JobQueue
public import PostgreSQLIdentity

/// The queue on PostgreSQL: jobs are their owner's rows, which policies keep, and workers alone see all of them.
extension JobQueue {
    /// The statements that make the table, its policies, and the role of workers; to be run by the role that migrates.
    public static let postgreSQLSchema =
        postgreSQLTable + "\n" + String(decoding: PackageResources.policies_sql, as: UTF8.self)

    /// Captured when enqueued: stores a job that will run as the identity that is current at the call.
    ///
    /// It is part of the transaction: it is there exactly if that commits. Workers of this process see it when they next look,
    /// or at ``JobQueue/wakeWorkers()``.
    ///
    /// - Parameters:
    ///   - job: What to do.
    ///   - transaction: A transaction of the same identity.
    /// - Returns: The job's id; that of the first one where the owner enqueued it before, whatever has become of it.
    /// - Throws: As in SQLite; `PostgreSQLError`.
    @discardableResult
    public nonisolated(nonsending) func enqueue(
        _ job: NewJob,
        in transaction: PostgreSQLTransaction
    ) async throws -> String {
        let seal = try self.seal(job)
        guard try await transaction.run(insertion(of: seal, after: job.delay)).count == 1 else {
            return try await id(ofTheFirst: seal, in: Array(transaction.run(Self.first(seal)).rows))
        }
        return seal.id
    }

    /// Removes every job of an owner, whatever its state; a job that runs can no longer end, and its transaction is undone.
    ///
    /// The server has their bytes until it has vacuumed the table and reused its write-ahead log.
    ///
    /// - Parameters:
    ///   - owner: The owner of the jobs.
    ///   - transaction: A transaction of theirs.
    /// - Returns: How many were removed.
    /// - Throws: `PostgreSQLError`.
    @discardableResult
    public static nonisolated(nonsending) func remove(
        of owner: JobOwner,
        in transaction: PostgreSQLTransaction
    ) async throws -> Int {
        try await transaction.run(removal(of: owner)).count
    }

    /// True where a connection sees everybody's jobs: as the workers' role, or as one that goes round policies.
    public static nonisolated(nonsending) func areAllSeen(in connection: PostgreSQLConnection) async throws -> Bool {
        let question = """
            SELECT rolsuper OR rolbypassrls OR rolname = 'job_worker' AS seen FROM pg_roles WHERE rolname = current_user
            """
        return try await connection.query(question).rows.first?.decode(Bool.self, "seen") ?? false
    }

    /// Counts the jobs in each state that a connection sees: the workers' role, all.
    public static nonisolated(nonsending) func accounts(in connection: PostgreSQLConnection) async throws -> Accounts {
        Accounts(try await connection.run(counting).rows)
    }

    /// Returns the jobs that were put aside, the oldest first, as ``accounts(in:)`` sees them.
    public static nonisolated(nonsending) func deadLetters(in connection: PostgreSQLConnection) async throws
        -> [DeadLetter]
    {
        try await connection.run(listingDeadLetters).rows.map { DeadLetter($0) }
    }

    /// Has a job that was put aside begun anew, with all of its attempts, as its owner.
    ///
    /// - Returns: Whether there is such a job.
    @discardableResult
    public static nonisolated(nonsending) func beginAnew(
        _ id: String,
        in connection: PostgreSQLConnection
    ) async throws -> Bool {
        try await connection.run(beginningAnew(id)).count == 1
    }

    /// Removes what was done before a moment; its idempotency keys are free again.
    ///
    /// - Returns: How many jobs were removed.
    @discardableResult
    public static nonisolated(nonsending) func removeDone(
        before moment: Int64,
        in connection: PostgreSQLConnection
    ) async throws -> Int {
        try await connection.run(removingDone(before: moment)).count
    }
}

extension JobRun {
    /// Marks the job as done, in the transaction that has its effect: both are written, or neither.
    ///
    /// - Parameter transaction: A transaction of the job's owner.
    /// - Throws: ``JobQueueError`` with the code `leaseLost` where the job is another worker's by now; let it end the
    ///   transaction, so that the effect is undone. `PostgreSQLError`.
    public nonisolated(nonsending) func finish(in transaction: PostgreSQLTransaction) async throws {
        if try await transaction.run(finishing).count == 0 { throw lost }
    }
}
