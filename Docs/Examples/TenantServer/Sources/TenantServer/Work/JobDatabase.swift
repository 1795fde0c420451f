import JobQueue
import Logging
import MultiIdentity

/// The database of a server's jobs and of the notes that they write.
protocol JobDatabase: Sendable {
    /// Enqueues a job of the current identity.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - admission: Called in the transaction; throws where nothing is to be written for the identity any more. It comes before
    ///     or after all of ``erase(_:)``, so that nothing is written behind its back.
    /// - Returns: What `admission` returns.
    /// - Throws: What `admission` and the database throw.
    func enqueue<Value: Sendable>(_ job: NewJob, if admission: @escaping @Sendable () throws -> Value) async throws
        -> Value

    /// Writes a job's note as the current identity, and ends the job, or neither.
    ///
    /// - Parameters:
    ///   - marker: The note.
    ///   - name: Called in the transaction: the user that is seen there.
    ///   - run: The job.
    /// - Throws: What keeps the job from being ended, or the database throws.
    func note(_ marker: Marker, madeAs name: @escaping @Sendable () -> String, in run: JobRun) async throws

    /// Removes all jobs and notes of a tenant, who is revoked by then.
    func erase(_ tenant: Identity) async throws

    /// Workers for the jobs.
    func workers(
        _ options: JobWorkers.Options,
        handlers: [String: JobWorkers.Handler],
        logger: Logger,
        admits: @escaping @Sendable (JobOwner) async throws -> Void
    ) throws -> JobWorkers
}
