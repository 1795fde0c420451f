import MultiIdentityLease

/// A transaction of one identity, for as long as ``PostgreSQLDatabase/withTransaction(_:_:)`` runs the work.
///
/// The first statement takes `BEGIN` and the identity along. A use as another identity, or after the end, throws `LeaseError`.
public struct PostgreSQLTransaction: Sendable {
    let lease: LeaseReference<PostgreSQLConnection>
    /// The number of its connection, which no other one of this process has.
    public let connection: Int

    /// Runs a statement.
    ///
    /// - Parameters:
    ///   - sql: The text, of one statement, which must neither outlast the transaction nor end it.
    ///   - parameters: What stands for `$1`, `$2`, …
    ///   - limit: The longest time that it may take; what the settings say, unless it is given.
    /// - Returns: The answer.
    /// - Throws: ``PostgreSQLError``; `CancellationError`; `LeaseError` where the work is another identity's here, or over;
    ///   `IdentityRevokedError`.
    @discardableResult
    public nonisolated(nonsending) func query(
        _ sql: String,
        _ parameters: [(any PostgreSQLEncodable)?] = [],
        within limit: Duration? = nil
    ) async throws -> PostgreSQLResult {
        try StatementCheck.check(sql)
        let statement = try EncodedStatement(PostgreSQLStatement(sql, parameters))
        return try await lease.use { connection in try await connection.run(statement, within: limit) }
    }

    /// Runs statements one after another, in one round trip; the first that fails ends it.
    ///
    /// - Parameters:
    ///   - statements: The statements.
    ///   - limit: The longest time that all may take; what the settings say, unless it is given.
    /// - Returns: The answers, in order.
    /// - Throws: As ``query(_:_:within:)``.
    @discardableResult
    public nonisolated(nonsending) func pipeline(
        _ statements: [PostgreSQLStatement],
        within limit: Duration? = nil
    ) async throws -> [PostgreSQLResult] {
        let encoded = try statements.map { statement in
            try StatementCheck.check(statement.sql)
            return try EncodedStatement(statement)
        }
        return try await lease.use { connection in try await connection.run(encoded, within: limit) }
    }

    /// Runs `work` in a savepoint: where it throws, what it did is undone, and the transaction goes on.
    ///
    /// - Parameter work: The work.
    /// - Returns: What `work` returns.
    /// - Throws: As ``query(_:_:within:)``, and what `work` throws.
    @discardableResult
    public nonisolated(nonsending) func withSavepoint<Value>(
        _ work: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        try await lease.use { _ = try await $0.run(EncodedStatement(fixed: "SAVEPOINT inner_part"), within: nil) }
        let value: Value
        do { value = try await work() } catch {
            // Of one name: the innermost is meant. Where this fails, so does every statement after it.
            try? await lease.use { connection in
                _ = try await connection.run(
                    [
                        EncodedStatement(fixed: "ROLLBACK TO SAVEPOINT inner_part"),
                        EncodedStatement(fixed: "RELEASE SAVEPOINT inner_part"),
                    ],
                    within: nil
                )
            }
            throw error
        }
        try await lease.use {
            _ = try await $0.run(EncodedStatement(fixed: "RELEASE SAVEPOINT inner_part"), within: nil)
        }
        return value
    }
}
