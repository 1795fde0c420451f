import MultiIdentityLease

/// A transaction of one identity, while ``PostgreSQLDatabase/withTransaction(_:)`` runs the work.
///
/// The first statement sends `BEGIN` and the identity. Use as another identity, or after the end, throws `LeaseError`.
public struct PostgreSQLTransaction: Sendable {
    private let lease: LeaseReference<PostgreSQLConnection>
    private let connection: PostgreSQLConnection
    private let turn: UInt64

    /// Creates a transaction; nothing is sent before its first statement.
    init(_ lease: borrowing Lease<PostgreSQLConnection>) throws {
        self.lease = lease.reference
        connection = try lease.use { $0 }
        turn = connection.begin()
    }

    /// The number of its connection, which is unique in this process.
    public var connectionNumber: Int { connection.number }

    /// Runs a statement.
    ///
    /// - Parameters:
    ///   - sql: The text of one statement, which must neither outlast the transaction nor end it.
    ///   - parameters: The values of `$1`, `$2`, … as PostgreSQL reads them; `nil` is null.
    ///   - limit: The longest time that it may take; by default the settings'.
    /// - Returns: The answer.
    /// - Throws: ``PostgreSQLError``; `CancellationError`; `LeaseError` if the work here has another identity, or is over;
    ///   `IdentityError` with `.revoked`.
    @discardableResult
    public nonisolated(nonsending) func query(
        _ sql: String,
        _ parameters: [String?] = [],
        within limit: Duration? = nil
    ) async throws -> PostgreSQLResult {
        try StatementCheck.check(sql)
        let statement = try PostgreSQLStatement(sql, parameters)
        // The lease may end directly afterwards: the number of the turn is compared again when it is sent.
        do { try lease.use { _ in } } catch let error as LeaseError where error.code == .unusable && Task.isCancelled {
            // The lease has seen this task's cancellation, and would throw another error.
            throw CancellationError()
        }
        return try await connection.run(statement, as: .part, within: limit, of: turn).only
    }
}

// The end of a transaction, by the code that began it.
extension PostgreSQLTransaction {
    /// Commits, if anything was sent.
    nonisolated(nonsending) func commit() async throws {
        // The connection is then closed, and the server rolls back.
        if Task.isCancelled { throw CancellationError() }
        let commit = PostgreSQLStatement(fixed: "COMMIT")
        // No answer if nothing was begun.
        let answer = try await lease.commit { try await $0.run(commit, as: .commit, within: nil, of: turn).first }
        if let answer, answer.command != "COMMIT" {
            throw PostgreSQLError(
                .rolledBack,
                "The server rolled the transaction back, since one of its statements had failed. Rethrow that error."
            )
        }
    }

    /// Rolls back, if anything was sent; if that fails, the connection's state is uncertain, and it is closed.
    nonisolated(nonsending) func rollBack() async {
        // Not through the lease, which refuses a revoked identity. The server rolls back a closed connection.
        if Task.isCancelled { return }
        _ = try? await connection.run(PostgreSQLStatement(fixed: "ROLLBACK"), as: .rollback, within: nil, of: turn)
    }
}
