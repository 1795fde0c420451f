import JobQueue
import PostgreSQLIdentity
import PostgreSQLJobs

/// The ledger on PostgreSQL: each transaction is its caller's, and policies of the server keep rows from all others.
struct PostgreSQLLedger: LedgerStore {
    let database: PostgreSQLDatabase
    let jobs: JobQueue

    /// The statements that make the tables and their policies, after the queue's; for the role that migrates.
    static let schema = String(decoding: PackageResources.ledger_postgresql_sql, as: UTF8.self)

    func append(requestID: String, text: String) async throws -> LedgerEntry {
        let entry = try await database.withTransaction { transaction in
            let seen = JobOwner.current
            let statements = LedgerStatements(of: seen)
            let answers = try await transaction.run([
                statements.insertion(requestID: requestID, text: text), statements.entry(requestID: requestID),
            ])
            let row = answers.last?.rows.first
            let entry = try LedgerEntry(appended: row, requestID: requestID, text: text, servedAs: seen)
            try await jobs.enqueue(ReceiptJob(entry: entry.number).newJob, in: transaction)
            return entry
        }
        jobs.wakeWorkers()
        return entry
    }

    func entries(after number: Int64, limit: Int) async throws -> [LedgerEntry] {
        let seen = JobOwner.current
        return try await database.run(LedgerStatements(of: seen).entries(after: number, limit: limit)).rows
            .map { try LedgerEntry($0, servedAs: seen) }
    }

    func receipts(after number: Int64, limit: Int) async throws -> [LedgerReceipt] {
        let seen = JobOwner.current
        return try await database.run(LedgerStatements(of: seen).receipts(after: number, limit: limit)).rows
            .map { try LedgerReceipt($0, servedAs: seen) }
    }

    /// The server has the bytes until it has vacuumed the tables and reused its write-ahead log.
    func erase() async throws -> ErasedLedger {
        try await database.withTransaction { transaction in
            let seen = JobOwner.current
            let statements = LedgerStatements(of: seen)
            // The jobs first: who ends one at the same time is waited for, and what it wrote is removed then.
            let jobs = try await JobQueue.remove(of: seen, in: transaction)
            let removed = try await transaction.run([statements.removalOfReceipts, statements.removalOfEntries])
            return ErasedLedger(entries: removed[1].count, receipts: removed[0].count, jobs: jobs, servedAs: seen)
        }
    }

    func makeReceipt(of entry: Int64, in run: JobRun) async throws {
        try await database.withTransaction { transaction in
            let receipt = LedgerStatements(of: .current).receipt(of: entry, attempt: run.job.attempt)
            try await transaction.run(receipt)
            try await run.finish(in: transaction)
        }
    }
}
