public import JobQueue
public import Logging
import MultiIdentityLease
import PostgreSQLIdentity

/// PostgreSQL, as the role that claims everybody's jobs and does nothing else; what a job does goes through another database.
package struct PostgreSQLJobStore: JobStore {
    private let database: PostgreSQLDatabase

    /// - Parameter url: The database, as the role `job_worker`.
    /// - Throws: `PostgreSQLError`.
    package init(_ url: String) throws {
        var settings = PostgreSQLSettings()
        // A claim is nobody's, and so is what workers note; the policies know the role, and let no other do so.
        settings.withoutIdentity = .asNobody
        database = try PostgreSQLDatabase(url, connections: 4, settings: settings)
    }

    package func claim(_ queue: JobQueue, leaseFor lease: Duration) async throws -> JobQueue.Claim {
        try await database.withTransaction { transaction in
            let token = JobQueue.newToken()
            let claiming = queue.claiming(leasedBy: token, for: lease, in: .postgreSQL)
            let (claim, after) = try await queue.judge(transaction.run(claiming).rows.first, leasedBy: token)
            if let after { try await transaction.run(after) }
            return claim
        }
    }

    package func change(_ statement: TableStatement) async throws -> Int {
        try await database.run(statement).count
    }

    package func state(of job: Job) async throws -> String? {
        try await database.run(JobQueue.stateStatement(of: job)).rows.first?["state"]
    }
}

extension JobWorkers {
    /// Workers for a queue on PostgreSQL, which as many processes as there are can share: each job is one worker's at a time.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - url: Its database, as the role `job_worker`. Handlers need another, as `app`: they run as the jobs' owners.
    ///   - options: How jobs are run.
    ///   - handlers: What runs which kind of job.
    ///   - logger: Where to tell of jobs that fail.
    ///   - admits: Throws where an owner is no longer to be worked for; the job is put aside. It is asked as the owner.
    /// - Throws: `PostgreSQLError`.
    public convenience init(
        _ queue: JobQueue,
        ofPostgreSQL url: String,
        options: Options = Options(),
        handlers: [String: Handler],
        logger: Logger,
        admits: @escaping @Sendable (JobOwner) async throws -> Void = { _ in }
    ) throws {
        self.init(
            queue,
            in: try PostgreSQLJobStore(url),
            options: options,
            handlers: handlers,
            logger: logger,
            admits: admits
        )
    }
}
