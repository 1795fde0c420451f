import GRDB
import JobQueue

/// The ledger's rows; every call blocks, and reads the current identity where it does its work.
struct LedgerStore: Sendable {
    let pool: DatabasePool
    let jobs: JobQueue

    /// An entry, and as whom it was read or written.
    struct Entry: Sendable {
        let number: Int64
        let requestID: String
        let text: String
        let owner: JobOwner
        let servedAs: JobOwner
    }

    /// The receipt that an entry's job made.
    struct Receipt: Sendable {
        let requestID: String
        let entry: Int64
        let madeAs: JobOwner
        let attempt: Int
        let servedAs: JobOwner
    }

    /// Counts of what was removed of an owner.
    struct Erased: Sendable {
        let entries: Int
        let receipts: Int
        let jobs: Int
        let servedAs: JobOwner
    }

    /// Writes an entry for the current identity, and its job, or neither; twice the same is once.
    func append(requestID: String, text: String) throws -> Entry {
        try pool.write { db in
            let seen = JobOwner.current
            try db.execute(
                sql: """
                    INSERT INTO entries (request_id, text, owner_kind, owner_name, owner_key) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (owner_kind, owner_key, request_id) DO NOTHING
                    """,
                arguments: [requestID, text] + seen.columns.arguments
            )
            let row = try Row.fetchOne(
                db,
                sql: "SELECT * FROM entries WHERE owner_kind = ? AND owner_key = ? AND request_id = ?",
                arguments: [seen.columns.kind, seen.columns.key, requestID]
            )
            guard let row, try row.decode(String.self, forColumn: "text") == text else {
                throw LedgerError.requestIDInUse(requestID)
            }
            let entry = try Entry(row, servedAs: seen)
            try jobs.enqueue(ReceiptJob(entry: entry.number).newJob, in: db)
            return entry
        }
    }

    /// Returns at most `limit` entries of the current identity, after one.
    func entries(after number: Int64, limit: Int) throws -> [Entry] {
        try pool.read { db in
            let seen = JobOwner.current
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM entries WHERE owner_kind = ? AND owner_key = ? AND number > ? ORDER BY number LIMIT ?
                    """,
                arguments: [seen.columns.kind, seen.columns.key, number, limit]
            ).map { row in try Entry(row, servedAs: seen) }
        }
    }

    /// Returns at most `limit` receipts for entries of the current identity, after one.
    func receipts(after number: Int64, limit: Int) throws -> [Receipt] {
        try pool.read { db in
            let seen = JobOwner.current
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT request_id, receipts.* FROM entries JOIN receipts ON entry = number
                    WHERE owner_kind = ? AND owner_key = ? AND number > ? ORDER BY number LIMIT ?
                    """,
                arguments: [seen.columns.kind, seen.columns.key, number, limit]
            ).map { row in
                try Receipt(
                    requestID: row.decode(forColumn: "request_id"),
                    entry: row.decode(forColumn: "entry"),
                    madeAs: JobOwner.read("made", of: row),
                    attempt: row.decode(forColumn: "attempt"),
                    servedAs: seen
                )
            }
        }
    }

    /// Removes all of the current identity, with nothing left in the database's files; jobs that run are undone.
    func erase() throws -> Erased {
        let erased = try pool.write { db in
            let seen = JobOwner.current
            let key = [seen.columns.kind, seen.columns.key]
            let entries = "FROM entries WHERE owner_kind = ? AND owner_key = ?"
            try db.execute(
                sql: "DELETE FROM receipts WHERE entry IN (SELECT number \(entries))",
                arguments: StatementArguments(key)
            )
            let receipts = db.changesCount
            try db.execute(sql: "DELETE \(entries)", arguments: StatementArguments(key))
            return Erased(
                entries: db.changesCount,
                receipts: receipts,
                jobs: try JobQueue.remove(of: seen, in: db),
                servedAs: seen
            )
        }
        try JobQueue.forgetRemoved(in: pool)
        return erased
    }

    /// Makes the receipt that a job is for, as the current identity, and ends the job, or neither.
    func makeReceipt(of entry: Int64, in run: JobRun) throws {
        try pool.write { db in
            let seen = JobOwner.current
            try db.execute(
                sql: "INSERT INTO receipts (entry, made_kind, made_name, made_key, attempt) VALUES (?, ?, ?, ?, ?)",
                arguments: [entry] + seen.columns.arguments + [run.job.attempt]
            )
            try run.finish(in: db)
        }
    }
}

extension LedgerStore.Entry {
    fileprivate init(_ row: Row, servedAs seen: JobOwner) throws {
        try self.init(
            number: row.decode(forColumn: "number"),
            requestID: row.decode(forColumn: "request_id"),
            text: row.decode(forColumn: "text"),
            owner: JobOwner.read("owner", of: row),
            servedAs: seen
        )
    }
}
