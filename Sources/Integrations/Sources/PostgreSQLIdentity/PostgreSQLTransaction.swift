import MultiIdentityLease

/// A transaction of one identity, for as long as ``PostgreSQLDatabase/withTransaction(_:)`` runs the work.
///
/// The first statement takes `BEGIN` and the identity along. A use as another identity, or after the end, throws `LeaseError`.
public struct PostgreSQLTransaction: Sendable {
    private let lease: LeaseReference<PostgreSQLConnection>
    private let connection: PostgreSQLConnection
    private let turn: UInt64

    /// Begins one; nothing is sent until its first statement.
    init(_ lease: borrowing Lease<PostgreSQLConnection>) throws {
        self.lease = lease.reference
        connection = try lease.use { $0 }
        turn = connection.begin()
    }

    /// The number of its connection, which no other one of this process has.
    public var connectionNumber: Int { connection.number }

    /// Runs a statement.
    ///
    /// - Parameters:
    ///   - sql: The text, of one statement, which must neither outlast the transaction nor end it.
    ///   - parameters: What stands for `$1`, `$2`, … as PostgreSQL reads it; `nil` is null.
    ///   - limit: The longest time that it may take; what the settings say, unless it is given.
    /// - Returns: The answer.
    /// - Throws: ``PostgreSQLError``; `CancellationError`; `LeaseError` where the work is another identity's here, or over;
    ///   `IdentityError` with `.revoked`.
    @discardableResult
    public nonisolated(nonsending) func query(
        _ sql: String,
        _ parameters: [String?] = [],
        within limit: Duration? = nil
    ) async throws -> PostgreSQLResult {
        try StatementCheck.check(sql)
        let statement = try PostgreSQLStatement(sql, parameters)
        // The lease may end right after this: the number of the turn is compared once more where it is sent.
        do { try lease.use { _ in } } catch let error as LeaseError where error.code == .unusable && Task.isCancelled {
            // It has seen this task's cancellation, and would say so in other words.
            throw CancellationError()
        }
        return try await connection.run(statement, as: .part, within: limit, of: turn).only
    }
}

// The end of a transaction, by the code that began it.
extension PostgreSQLTransaction {
    /// Commits, if anything was sent.
    nonisolated(nonsending) func commit() async throws {
        // The connection is closed then, and the server rolls back.
        if Task.isCancelled { throw CancellationError() }
        let commit = PostgreSQLStatement(fixed: "COMMIT")
        // No answer, where nothing was begun.
        let answer = try await lease.commit { try await $0.run(commit, as: .commit, within: nil, of: turn).first }
        if let answer, answer.command != "COMMIT" {
            throw PostgreSQLError(
                .rolledBack,
                "The server rolled the transaction back, since a statement of it had failed. Let its error out."
            )
        }
    }

    /// Rolls back, if anything was sent; where that fails the connection stays in doubt, and is closed.
    nonisolated(nonsending) func rollBack() async {
        // Not through the lease, which refuses the revoked. What is closed is rolled back by the server.
        if Task.isCancelled { return }
        _ = try? await connection.run(PostgreSQLStatement(fixed: "ROLLBACK"), as: .rollback, within: nil, of: turn)
    }
}
