import JobQueue

/// The ledger's rows.
///
/// Each call is its caller's: it reads the current identity where it does its work.
protocol LedgerStore: Sendable {
    /// Writes an entry for the current identity, and its job, or neither; twice the same is once.
    func append(requestID: String, text: String) async throws -> LedgerEntry
    /// Returns at most `limit` entries of the current identity, after one.
    func entries(after number: Int64, limit: Int) async throws -> [LedgerEntry]
    /// Returns at most `limit` receipts for entries of the current identity, after one.
    func receipts(after number: Int64, limit: Int) async throws -> [LedgerReceipt]
    /// Removes all of the current identity; jobs that run are undone.
    func erase() async throws -> ErasedLedger
    /// Makes the receipt that a job is for, as the current identity, and ends the job, or neither.
    func makeReceipt(of entry: Int64, in run: JobRun) async throws
}

/// The statements of the ledger, which SQLite and PostgreSQL both run.
///
/// Each names the owner, also where policies of PostgreSQL would see to it: an index serves it so, and either alone suffices.
struct LedgerStatements {
    let owner: JobOwner.Columns

    init(of owner: JobOwner) { self.owner = owner.columns }

    func insertion(requestID: String, text: String) -> TableStatement {
        TableStatement(
            """
            INSERT INTO entries (request_id, text, owner_kind, owner_name, owner_key) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (owner_kind, owner_key, request_id) DO NOTHING
            """,
            [.text(requestID), .text(text), .text(owner.kind), .text(owner.name), .text(owner.key)]
        )
    }

    func entry(requestID: String) -> TableStatement {
        TableStatement(
            "SELECT * FROM entries WHERE owner_kind = $1 AND owner_key = $2 AND request_id = $3",
            key + [.text(requestID)]
        )
    }

    func entries(after number: Int64, limit: Int) -> TableStatement {
        TableStatement(
            "SELECT * FROM entries WHERE owner_kind = $1 AND owner_key = $2 AND number > $3 ORDER BY number LIMIT $4",
            key + [.number(number), .number(Int64(limit))]
        )
    }

    func receipts(after number: Int64, limit: Int) -> TableStatement {
        TableStatement(
            """
            SELECT request_id, receipts.* FROM entries JOIN receipts ON entry = number
            WHERE owner_kind = $1 AND owner_key = $2 AND number > $3 ORDER BY number LIMIT $4
            """,
            key + [.number(number), .number(Int64(limit))]
        )
    }

    var removalOfReceipts: TableStatement {
        TableStatement(
            "DELETE FROM receipts WHERE entry IN (SELECT number FROM entries WHERE owner_kind = $1 AND owner_key = $2)",
            key
        )
    }

    var removalOfEntries: TableStatement {
        TableStatement("DELETE FROM entries WHERE owner_kind = $1 AND owner_key = $2", key)
    }

    func receipt(of entry: Int64, attempt: Int) -> TableStatement {
        TableStatement(
            "INSERT INTO receipts (entry, made_kind, made_name, made_key, attempt) VALUES ($1, $2, $3, $4, $5)",
            [.number(entry), .text(owner.kind), .text(owner.name), .text(owner.key), .number(Int64(attempt))]
        )
    }

    private var key: [TableStatement.Value] { [.text(owner.kind), .text(owner.key)] }
}

extension LedgerEntry {
    /// The entry that an append has written, or found.
    ///
    /// - Throws: ``LedgerError`` where the owner wrote another under that id.
    init(appended row: (some TableRow)?, requestID: String, text: String, servedAs seen: JobOwner) throws {
        guard let row, try row.text(of: "text") == text else { throw LedgerError.requestIDInUse(requestID) }
        try self.init(row, servedAs: seen)
    }
}
