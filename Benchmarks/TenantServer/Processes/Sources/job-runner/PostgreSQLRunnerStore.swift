import JobQueue
import Logging
import MultiIdentity
import PostgreSQLIdentity
import PostgreSQLJobs

/// A server that other processes use at the same time; the test has made the tables.
struct PostgreSQLRunnerStore: RunnerStore {
    private let database: PostgreSQLDatabase
    private let workersURL: String

    /// - Parameters:
    ///   - url: The database as tenants use it.
    ///   - workersURL: The same as the role of workers.
    /// - Throws: `PostgreSQLError`.
    init(_ url: String, workersURL: String) throws {
        database = try PostgreSQLDatabase(url, connections: 4)
        self.workersURL = workersURL
    }

    /// The server keeps no rows of whom it does not know.
    var ownerless: Identity? { .nobody }

    func enqueue(_ job: NewJob, on queue: JobQueue) async throws -> String {
        let id = try await database.withTransaction { transaction in try await queue.enqueue(job, in: transaction) }
        queue.wakeWorkers()
        return id
    }

    func note(_ job: Job) async throws {
        try await database.withTransaction { transaction in try await Self.note(job, in: transaction) }
    }

    func noteAndFinish(_ run: JobRun) async throws {
        try await database.withTransaction { transaction in
            try await Self.note(run.job, in: transaction)
            try await Task.sleep(for: .milliseconds(2))
            try await run.finish(in: transaction)
        }
    }

    func openJobs() async throws -> Int {
        let connection = try await PostgreSQLConnection.open(workersURL)
        defer { connection.close() }
        return try await JobQueue.accounts(in: connection).open
    }

    func workers(
        _ queue: JobQueue,
        _ options: JobWorkers.Options,
        _ handlers: [String: JobWorkers.Handler],
        _ logger: Logger
    ) throws -> JobWorkers {
        try JobWorkers(queue, ofPostgreSQL: workersURL, options: options, handlers: handlers, logger: logger)
    }

    private static func note(_ job: Job, in transaction: PostgreSQLTransaction) async throws {
        let seen = JobOwner.current.columns
        try await transaction.query(
            """
            INSERT INTO effects (job, idempotency_key, attempt, seen_kind, seen_name, seen_key)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [job.id, job.idempotencyKey, job.attempt, seen.kind, seen.name, seen.key]
        )
    }
}
