import GRDB
import JobQueue

/// The database of a test: the jobs, and what they did.
enum RunnerDatabase {
    static func open(_ path: String) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let pool = try DatabasePool(path: path, configuration: configuration)
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
        return pool
    }

    /// Notes that a job took effect, and as whom that was seen here.
    static func note(_ job: Job, in db: Database) throws {
        let seen = JobOwner.current.columns
        try db.execute(
            sql: "INSERT INTO effects VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [job.id, job.idempotencyKey, job.attempt, seen.kind, seen.name, seen.key]
        )
    }
}
