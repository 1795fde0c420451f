import Dispatch
import Foundation
import GRDB
import JobQueue
import Logging
import MultiIdentity

/// A file; its effects are written on threads that may block.
struct SQLiteRunnerStore: RunnerStore {
    private let pool: DatabasePool
    private let blocking = IdentityQueue(label: "effects", attributes: .concurrent)

    init(_ path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        pool = try DatabasePool(path: path, configuration: configuration)
        try JobQueue.prepare(pool)
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS effects (
                        job TEXT NOT NULL, idempotency_key TEXT NOT NULL, attempt INTEGER NOT NULL,
                        seen_kind TEXT NOT NULL, seen_name TEXT NOT NULL, seen_key TEXT NOT NULL)
                    """
            )
        }
    }

    var ownerless: Identity? { nil }

    func enqueue(_ job: NewJob, on queue: JobQueue) async throws -> String {
        try await pool.write { db in try queue.enqueue(job, in: db) }
    }

    func note(_ job: Job) async throws { try await pool.write { db in try Self.note(job, in: db) } }

    func noteAndFinish(_ run: JobRun) async throws {
        try await withCheckedThrowingContinuation { continuation in
            blocking.async { [pool] in
                continuation.resume(
                    with: Result {
                        Thread.sleep(forTimeInterval: 0.002)
                        try pool.write { db in
                            try Self.note(run.job, in: db)
                            try run.finish(in: db)
                        }
                    }
                )
            }
        }
    }

    func openJobs() async throws -> Int { try await pool.read { db in try JobQueue.accounts(in: db).open } }

    func workers(
        _ queue: JobQueue,
        _ options: JobWorkers.Options,
        _ handlers: [String: JobWorkers.Handler],
        _ logger: Logger
    ) throws -> JobWorkers {
        JobWorkers(queue, of: pool, options: options, handlers: handlers, logger: logger)
    }

    private static func note(_ job: Job, in db: Database) throws {
        let seen = JobOwner.current.columns
        try db.execute(
            sql: "INSERT INTO effects VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [job.id, job.idempotencyKey, job.attempt, seen.kind, seen.name, seen.key]
        )
    }
}
