package import GRDB

/// The database that workers claim jobs of, and note in what became of them: nobody's work, on any job.
package protocol JobStore: Sendable {
    /// Takes a job that is due and leases it, or undoes that where it throws.
    func claim(_ queue: JobQueue, leaseFor lease: Duration) async throws -> JobQueue.Claim
    /// Runs a statement in a transaction of its own, and returns how many rows it changed.
    func change(_ statement: TableStatement) async throws -> Int
    /// Returns the state of a job, or `nil` where there is none.
    func state(of job: Job) async throws -> String?
}

/// SQLite: one database for everybody's jobs.
package struct SQLiteJobStore: JobStore {
    let writer: any DatabaseWriter

    package init(_ writer: any DatabaseWriter) { self.writer = writer }

    package func claim(_ queue: JobQueue, leaseFor lease: Duration) async throws -> JobQueue.Claim {
        try await writer.write { db in try queue.claim(leaseFor: lease, in: db) }
    }

    package func change(_ statement: TableStatement) async throws -> Int {
        try await writer.write { db in try db.change(statement) }
    }

    package func state(of job: Job) async throws -> String? {
        try await writer.write { db in try db.rows(JobQueue.stateStatement(of: job)).first?.text(of: "state") }
    }
}
