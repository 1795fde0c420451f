import Foundation
import JobQueue
import Logging
import MultiIdentity
import PostgreSQLIdentity
import PostgreSQLJobs
import SignedIdentity

/// The jobs of a process of leavers: users' work enqueues them, workers run them as their owners, and who has left has none.
struct LeavingJobs: Sendable {
    private static let kind = "effect"
    private let queue: JobQueue

    init() throws {
        // The same in each process: what one enqueues another runs.
        queue = JobQueue(keys: try KeyRing(parsing: "trial:\(Data(0 as UInt8..<32).base64EncodedString())"))
    }

    /// Captured when enqueued: a job for the current user that is due later.
    func enqueue(
        for user: Int,
        named key: UInt64,
        after delay: Duration,
        in transaction: PostgreSQLTransaction
    ) async throws {
        let job = NewJob(
            Self.kind,
            idempotencyKey: String(key, radix: 36),
            payload: Array("\(user)".utf8),
            delay: delay
        )
        try await queue.enqueue(job, in: transaction)
    }

    /// Workers for the jobs of all users, whichever process enqueued them.
    ///
    /// - Parameters:
    ///   - url: The database as the role `job_worker`.
    ///   - database: The same one as its users.
    ///   - admits: Throws where an owner is no longer to be worked for; `nil` has nobody ask.
    ///   - note: Takes note of an effect for a user.
    /// - Returns: The workers.
    /// - Throws: `PostgreSQLError`.
    func workers(
        _ url: String,
        _ database: PostgreSQLDatabase,
        admits: (@Sendable (Identity) throws -> Void)?,
        note: @escaping @Sendable (Int) -> Void
    ) throws -> JobWorkers {
        var options = JobWorkers.Options()
        options.pollInterval = .milliseconds(20)
        let handler: JobWorkers.Handler = { run in
            guard let user = Int(String(decoding: run.job.payload, as: UTF8.self)) else {
                throw PermanentJobFailure("the payload is no user")
            }
            // Before the database: its lease asks by itself: an effect elsewhere, as a message that is sent.
            note(user)
            guard admits != nil else { return }
            try await database.withTransaction { transaction in
                try await transaction.query("INSERT INTO notes (title) VALUES ('job')")
                try await run.finish(in: transaction)
            }
            note(user)
        }
        return try JobWorkers(
            queue,
            ofPostgreSQL: url,
            options: options,
            handlers: [Self.kind: handler],
            logger: Logger(label: "jobs") { _ in SwiftLogNoOpLogHandler() },
            admits: { owner in if case .identity(let identity) = owner { try admits?(identity) } }
        )
    }

    /// Removes all jobs of who has left, as the wipe of the example's server does.
    ///
    /// It needs no lock that enqueuing shares: once a leaver is settled, nothing that enqueues for them runs in any process.
    ///
    /// - Parameters:
    ///   - user: Who has left.
    ///   - connection: One to the database as its users. It is nobody's and names the owner of the rows that it removes: a
    ///     lease of somebody who is revoked is refused.
    /// - Returns: How many of them had been put aside, since they came due when their owner had left.
    /// - Throws: `PostgreSQLError`.
    static func remove(of user: Identity, _ connection: PostgreSQLConnection) async throws -> Int {
        let results = try await connection.pipeline([
            PostgreSQLStatement("BEGIN"),
            PostgreSQLStatement("SELECT set_config('app.identity', $1, true)", [user.caselessName]),
            PostgreSQLStatement("SELECT count(*) AS all FROM jobs WHERE state = 'dead'"),
            PostgreSQLStatement(JobQueue.removal(of: .identity(user))),
            PostgreSQLStatement("COMMIT"),
        ])
        return try results[2].rows[0].decode(Int.self, "all")
    }
}
