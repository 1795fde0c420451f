public import MultiIdentityLease

/// A transaction of one identity, for as long as ``PostgreSQLDatabase/withTransaction(_:_:)`` runs the work.
///
/// The first statement takes `BEGIN` and the identity along. A use as another identity, or after the end, throws `LeaseError`.
public struct PostgreSQLTransaction: Sendable {
    private let lease: LeaseReference<PostgreSQLConnection>
    private let wire: PostgreSQLWire
    private let turn: UInt64
    private let limit: UInt64
    /// The number of its connection, which no other one of this process has.
    public let connection: Int

    /// Begins one; nothing is sent until its first statement.
    @usableFromInline
    init(_ lease: borrowing Lease<PostgreSQLConnection>, _ isolation: PostgreSQLIsolation) throws {
        let connection = try lease.use { $0 }
        self.lease = lease.reference
        wire = connection.wire
        limit = connection.limit
        turn = connection.begin(isolation)
        self.connection = connection.number
    }

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
        let statement = try EncodedStatement(sql, parameters)
        return try await run([statement], within: limit).only
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
            return try EncodedStatement(statement.sql, statement.parameters)
        }
        return try await run(encoded, within: limit)
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
        _ = try await run([EncodedStatement(fixed: "SAVEPOINT inner_part")])
        let value: Value
        do { value = try await work() } catch {
            // Of one name: the innermost is meant. Where this fails, so does every statement after it.
            _ = try? await run([
                EncodedStatement(fixed: "ROLLBACK TO SAVEPOINT inner_part"),
                EncodedStatement(fixed: "RELEASE SAVEPOINT inner_part"),
            ])
            throw error
        }
        _ = try await run([EncodedStatement(fixed: "RELEASE SAVEPOINT inner_part")])
        return value
    }

    private nonisolated(nonsending) func run(
        _ statements: [EncodedStatement],
        within limit: Duration? = nil
    ) async throws -> [PostgreSQLResult] {
        // The lease may end right after this: the number of the turn is compared once more where it is sent.
        do { try lease.use { _ in } } catch let error as LeaseError where error.code == .unusable && Task.isCancelled {
            // It has seen this task's cancellation, and would say so in other words.
            throw CancellationError()
        }
        return try await wire.run(statements, as: .part, within: limit?.nanoseconds ?? self.limit, of: turn)
    }
}

// The end of a transaction, by the code that began it.
extension PostgreSQLTransaction {
    /// Commits, if anything was sent.
    @usableFromInline
    nonisolated(nonsending) func commit() async throws {
        // The connection is closed then, and the server rolls back.
        if Task.isCancelled { throw CancellationError() }
        try lease.use { _ in }
        let answer = try await wire.run([.commit], as: .commit, within: limit, of: turn)
        // None, where nothing was begun.
        guard answer.first?.isCommit ?? true else {
            throw PostgreSQLError(
                .rolledBack,
                """
                The server rolled the transaction back, since a statement of it had failed. Let its error out, or use a \
                savepoint.
                """
            )
        }
    }

    /// Rolls back, if anything was sent; where that fails the connection stays in doubt, and is closed.
    @usableFromInline
    nonisolated(nonsending) func rollBack() async {
        // Not through the lease, which refuses the revoked. What is closed is rolled back by the server.
        if !Task.isCancelled { _ = try? await wire.run([.rollback], as: .rollback, within: limit, of: turn) }
    }
}
