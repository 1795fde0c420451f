import GRDB
import JobQueue
import Logging
import MultiIdentity

/// Jobs and notes in a file.
struct SQLiteJobDatabase: JobDatabase {
    private let queue: JobQueue
    private let pool: DatabasePool

    /// - Parameters:
    ///   - path: The file; made if it is not there.
    ///   - queue: The queue.
    /// - Throws: What the database throws.
    init(path: String, queue: JobQueue) throws {
        self.queue = queue
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        // A killed process loses nothing; a power cut may lose the last commits.
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = normal")
            try JobQueue.overwriteRemoved(in: db)
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        try JobQueue.prepare(pool)
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS job_notes (
                        marker TEXT NOT NULL, made_as TEXT NOT NULL, attempt INTEGER NOT NULL
                    )
                    """
            )
        }
    }

    func enqueue<Value: Sendable>(
        _ job: NewJob,
        if admission: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        // One writes at a time: asked within, it is asked before or after all of an erasure.
        try await pool.write { [queue] db in
            let value = try admission()
            try queue.enqueue(job, in: db)
            return value
        }
    }

    func note(_ marker: Marker, madeAs name: @escaping @Sendable () -> String, in run: JobRun) async throws {
        try await pool.write { db in
            try db.execute(
                sql: "INSERT INTO job_notes (marker, made_as, attempt) VALUES (?, ?, ?)",
                arguments: [marker.text, name(), run.job.attempt]
            )
            try run.finish(in: db)
        }
    }

    func erase(_ tenant: Identity) async throws {
        try await pool.write { db in
            try JobQueue.remove(of: .identity(tenant), in: db)
            for name in try String.fetchAll(db, sql: "SELECT DISTINCT made_as FROM job_notes") {
                guard (try? Identity(name)) == tenant else { continue }
                try db.execute(sql: "DELETE FROM job_notes WHERE made_as = ?", arguments: [name])
            }
        }
        try JobQueue.forgetRemoved(in: pool)
    }

    func workers(
        _ options: JobWorkers.Options,
        handlers: [String: JobWorkers.Handler],
        logger: Logger,
        admits: @escaping @Sendable (JobOwner) async throws -> Void
    ) -> JobWorkers {
        JobWorkers(queue, of: pool, options: options, handlers: handlers, logger: logger, admits: admits)
    }
}
