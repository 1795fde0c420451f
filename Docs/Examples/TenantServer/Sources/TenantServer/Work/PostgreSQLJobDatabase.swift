import JobQueue
import Logging
import MultiIdentity
import PostgreSQLIdentity
import PostgreSQLJobs

/// Jobs and notes on PostgreSQL, where several of these servers can share them: each row is its owner's by policies.
struct PostgreSQLJobDatabase: JobDatabase {
    private let queue: JobQueue
    private let database: PostgreSQLDatabase
    private let url: String
    private let workersURL: String

    /// The statements that make the tables with their policies, for the role that migrates.
    static let schema = JobQueue.postgreSQLSchema + "\n" + String(decoding: PackageResources.notes_sql, as: UTF8.self)

    /// - Parameters:
    ///   - url: The database as the role that serves; its tables are there.
    ///   - workersURL: The same as the role `job_worker`.
    ///   - queue: The queue.
    /// - Throws: `PostgreSQLError` where a URL cannot be read.
    init(url: String, workersURL: String, queue: JobQueue) throws {
        self.queue = queue
        self.url = url
        self.workersURL = workersURL
        database = try PostgreSQLDatabase(url)
    }

    func enqueue<Value: Sendable>(
        _ job: NewJob,
        if admission: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let value = try await database.withTransaction { transaction in
            let owner = JobOwner.current
            // Shared with others that enqueue, and not with an erasure: that waits for this to end, or comes before.
            try await transaction.run(Self.lock("pg_advisory_xact_lock_shared", of: owner))
            let value = try admission()
            try await queue.enqueue(job, in: transaction)
            return value
        }
        queue.wakeWorkers()
        return value
    }

    func note(_ marker: Marker, madeAs name: @escaping @Sendable () -> String, in run: JobRun) async throws {
        try await database.withTransaction { transaction in
            try await transaction.run(
                TableStatement(
                    "INSERT INTO job_notes (marker, made_as, attempt) VALUES ($1, $2, $3)",
                    [.text(marker.text), .text(name()), .number(Int64(run.job.attempt))]
                )
            )
            try await run.finish(in: transaction)
        }
    }

    /// The server has the bytes until it has vacuumed the tables and reused its write-ahead log.
    func erase(_ tenant: Identity) async throws {
        // Nobody's connection that names the owner of the rows that it removes: a lease of somebody who is revoked is refused.
        let connection = try await PostgreSQLConnection.open(url)
        defer { connection.close() }
        let owner = JobOwner.identity(tenant)
        try await connection.pipeline([
            PostgreSQLStatement("BEGIN"),
            PostgreSQLStatement("SELECT set_config('app.identity', $1, true)", [tenant.caselessName]),
            PostgreSQLStatement(Self.lock("pg_advisory_xact_lock", of: owner)),
            // The jobs first: who ends one at the same time is waited for, and its note is removed then.
            PostgreSQLStatement(JobQueue.removal(of: owner)),
            PostgreSQLStatement("DELETE FROM job_notes"),
            PostgreSQLStatement("COMMIT"),
        ])
    }

    func workers(
        _ options: JobWorkers.Options,
        handlers: [String: JobWorkers.Handler],
        logger: Logger,
        admits: @escaping @Sendable (JobOwner) async throws -> Void
    ) throws -> JobWorkers {
        try JobWorkers(
            queue,
            ofPostgreSQL: workersURL,
            options: options,
            handlers: handlers,
            logger: logger,
            admits: admits
        )
    }

    /// Takes a lock of an owner until the transaction ends.
    private static func lock(_ function: String, of owner: JobOwner) -> TableStatement {
        TableStatement("SELECT \(function)(hashtextextended($1, 0))", [.text(owner.columns.key)])
    }
}
