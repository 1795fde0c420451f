public import JobQueue
public import PostgreSQLIdentity

/// The queue on PostgreSQL: jobs are their owner's rows, which policies keep, and workers alone see all of them.
extension JobQueue {
    /// The statements that make the table, its policies, and the role of workers; to be run by the role that migrates.
    public static let postgreSQLSchema =
        postgreSQLTable + "\n" + String(decoding: PackageResources.policies_sql, as: UTF8.self)

    /// Captured when enqueued: stores a job that will run as the identity that is current at the call.
    ///
    /// It is part of the transaction: it is there exactly if that commits. Workers of this process see it when they next look,
    /// or at ``JobQueue/wakeWorkers()``.
    ///
    /// - Parameters:
    ///   - job: What to do.
    ///   - transaction: A transaction of the same identity.
    /// - Returns: The job's id; that of the first one where the owner enqueued it before, whatever has become of it.
    /// - Throws: As in SQLite; `PostgreSQLError`.
    @discardableResult
    public nonisolated(nonsending) func enqueue(
        _ job: NewJob,
        in transaction: PostgreSQLTransaction
    ) async throws -> String {
        let seal = try self.seal(job)
        guard try await transaction.run(insertion(of: seal, after: job.delay)).count == 1 else {
            return try await id(ofTheFirst: seal, in: Array(transaction.run(Self.first(seal)).rows))
        }
        return seal.id
    }

    /// Removes every job of an owner, whatever its state; a job that runs can no longer end, and its transaction is undone.
    ///
    /// The server has their bytes until it has vacuumed the table and reused its write-ahead log.
    ///
    /// - Parameters:
    ///   - owner: The owner of the jobs.
    ///   - transaction: A transaction of theirs.
    /// - Returns: How many were removed.
    /// - Throws: `PostgreSQLError`.
    @discardableResult
    public static nonisolated(nonsending) func remove(
        of owner: JobOwner,
        in transaction: PostgreSQLTransaction
    ) async throws -> Int {
        try await transaction.run(removal(of: owner)).count
    }

    /// The statement that does so, for a connection that is nobody's.
    package static func removalOnPostgreSQL(of owner: JobOwner) -> PostgreSQLStatement {
        let statement = removal(of: owner)
        return PostgreSQLStatement(statement.sql, statement.parameters)
    }

    /// Counts the jobs in each state that a connection sees: the workers' role, all.
    public static nonisolated(nonsending) func accounts(in connection: PostgreSQLConnection) async throws -> Accounts {
        Accounts(try await connection.query(accountsSQL).rows)
    }
}

extension JobRun {
    /// Marks the job as done, in the transaction that has its effect: both are written, or neither.
    ///
    /// - Parameter transaction: A transaction of the job's owner.
    /// - Throws: ``JobQueueError`` with the code `leaseLost` where the job is another worker's by now; let it end the
    ///   transaction, so that the effect is undone. `PostgreSQLError`.
    public nonisolated(nonsending) func finish(in transaction: PostgreSQLTransaction) async throws {
        if try await transaction.run(finishing).count == 0 { throw lost }
    }
}

extension PostgreSQLTransaction {
    @discardableResult
    nonisolated(nonsending) func run(_ statement: JobStatement) async throws -> PostgreSQLResult {
        try await query(statement.sql, statement.parameters)
    }
}

extension JobStatement {
    var parameters: [(any PostgreSQLEncodable)?] {
        values.map { value in
            switch value {
            case .text(let text): text
            case .number(let number): number
            case .bytes(let bytes): bytes
            case .null: nil
            }
        }
    }
}

extension PostgreSQLRow: JobRow {
    package func text(of column: String) throws -> String { try decode(String.self, column) }
    package func number(of column: String) throws -> Int64 { try decode(Int64.self, column) }
    package func bytes(of column: String) throws -> [UInt8] { try decode([UInt8].self, column) }
}
