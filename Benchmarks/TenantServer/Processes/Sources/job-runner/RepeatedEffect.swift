import GRDB
import JobQueue

/// A job that fails the first time, with an effect in a transaction of its own: it takes effect at least once.
struct RepeatedEffect {
    let pool: DatabasePool

    struct FirstAttempt: Error {}

    @Sendable func run(_ run: JobRun) async throws {
        try await pool.write { db in try RunnerDatabase.note(run.job, in: db) }
        if run.job.attempt == 1 { throw FirstAttempt() }
    }
}
