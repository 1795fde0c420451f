import GRDB
import JobQueue

/// The ledger in a file, of which each access blocks: it is handed over to threads that may.
struct SQLiteLedger: LedgerStore {
    let pool: DatabasePool
    let jobs: JobQueue
    let handover: any WorkHandover

    func append(requestID: String, text: String) async throws -> LedgerEntry {
        try await write { [jobs] db, seen in
            let statements = LedgerStatements(of: seen)
            try db.change(statements.insertion(requestID: requestID, text: text))
            let row = try db.rows(statements.entry(requestID: requestID)).first
            let entry = try LedgerEntry(appended: row, requestID: requestID, text: text, servedAs: seen)
            try jobs.enqueue(ReceiptJob(entry: entry.number).newJob, in: db)
            return entry
        }
    }

    func entries(after number: Int64, limit: Int) async throws -> [LedgerEntry] {
        try await read { db, seen in
            try db.rows(LedgerStatements(of: seen).entries(after: number, limit: limit))
                .map { try LedgerEntry($0, servedAs: seen) }
        }
    }

    func receipts(after number: Int64, limit: Int) async throws -> [LedgerReceipt] {
        try await read { db, seen in
            try db.rows(LedgerStatements(of: seen).receipts(after: number, limit: limit))
                .map { try LedgerReceipt($0, servedAs: seen) }
        }
    }

    /// Removes with nothing left in the database's files.
    func erase() async throws -> ErasedLedger {
        let erased = try await write { db, seen in
            let statements = LedgerStatements(of: seen)
            let receipts = try db.change(statements.removalOfReceipts)
            let entries = try db.change(statements.removalOfEntries)
            let jobs = try JobQueue.remove(of: seen, in: db)
            return ErasedLedger(entries: entries, receipts: receipts, jobs: jobs, servedAs: seen)
        }
        try await handover.run { [pool] in try JobQueue.forgetRemoved(in: pool) }
        return erased
    }

    func makeReceipt(of entry: Int64, in run: JobRun) async throws {
        try await write { db, seen in
            try db.change(LedgerStatements(of: seen).receipt(of: entry, attempt: run.job.attempt))
            try run.finish(in: db)
        }
    }

    private func write<Value: Sendable>(
        _ work: @escaping @Sendable (Database, _ seen: JobOwner) throws -> Value
    ) async throws -> Value {
        try await handover.run { [pool] in try pool.write { db in try work(db, .current) } }
    }

    private func read<Value: Sendable>(
        _ work: @escaping @Sendable (Database, _ seen: JobOwner) throws -> Value
    ) async throws -> Value {
        try await handover.run { [pool] in try pool.read { db in try work(db, .current) } }
    }
}
