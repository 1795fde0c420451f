import MultiIdentity
public import MultiIdentityLease

/// A PostgreSQL database whose transactions are each of the identity that the work counts as.
///
/// ```swift
/// let database = try PostgreSQLDatabase("postgresql://app@localhost/notes", connections: 16)
/// try await withIdentity(ada) {
///     let titles = try await database.withTransaction { transaction in
///         try await transaction.query("SELECT title FROM notes").rows.map { try $0.decode(String.self, "title") }
///     }
/// }
/// ```
///
/// The server is told whose a transaction is together with its first statement, and forgets it at the transaction's end; its
/// policies decide what is seen. A connection whose state is not known for certain is closed.
public final class PostgreSQLDatabase: Sendable {
    private let pool: LeasePool<PostgreSQLConnection>
    private let leases: IdentityLease<PostgreSQLConnection>
    private let connections: Int

    /// A database; no connection is opened until it is needed.
    ///
    /// - Parameters:
    ///   - url: Where it is, as libpq reads it: `postgresql://role@host/database`.
    ///   - connections: The most connections there are at a time; less than 1 is taken for 1.
    ///   - settings: What else is to hold.
    /// - Throws: ``PostgreSQLError`` with `.badURL`.
    public init(
        _ url: String,
        connections: Int = 16,
        settings: PostgreSQLSettings = PostgreSQLSettings()
    ) throws(PostgreSQLError) {
        try PostgreSQLConnection.check(url)
        self.connections = max(1, connections)
        pool = LeasePool(
            LeasePoolLimits(
                resources: connections,
                wait: settings.connectionWait,
                idle: settings.connectionIdle
            ),
            open: { try await PostgreSQLConnection.open(url, settings) },
            close: { $0.close() },
            interrupt: { $0.interrupt() }
        )
        var leasing = LeaseSettings()
        leasing.withoutIdentity = settings.withoutIdentity
        leasing.limit = settings.transactionLimit
        leasing.onClosing = settings.onClosing
        // `clear` knows what the server said last, and throws wherever that is not "idle".
        leasing.afterError = .cleared
        leasing.verification = .never
        let (binding, text) = (settings.binding, settings.text)
        leases = IdentityLease(
            of: pool,
            binding: LeaseBinding(
                bind: { connection, identity in
                    try connection.bind(to: identity.isNobody ? "" : text(identity), by: binding)
                },
                clear: { try $0.clear() }
            ),
            settings: leasing
        )
    }

    /// Runs `work` in a transaction of the identity that it counts as, and commits it; rolls it back where `work` throws.
    ///
    /// Each statement takes one round trip, and so does the end; the identity takes none.
    ///
    /// - Parameters:
    ///   - isolation: What it sees of others.
    ///   - work: The work.
    /// - Returns: What `work` returns; the server has committed by then.
    /// - Throws: ``PostgreSQLError``; `LeaseError` and `IdentityRevokedError` where the lease is refused; `CancellationError`;
    ///   what `work` throws.
    @discardableResult
    public nonisolated(nonsending) func withTransaction<Value>(
        _ isolation: PostgreSQLIsolation = .readCommitted,
        _ work: nonisolated(nonsending) (PostgreSQLTransaction) async throws -> Value
    ) async throws -> Value {
        try await withConnection { lease in
            let connection = try lease.use { connection in
                connection.begin(isolation)
                return connection
            }
            let value: Value
            do {
                value = try await work(PostgreSQLTransaction(lease: lease.reference, connection: connection.number))
            } catch {
                // Not through the lease, which refuses the revoked.
                await connection.rollBack()
                throw error
            }
            try await lease.use { try await $0.commit() }
            return value
        }
    }

    /// Runs one statement in a transaction of its own, in one round trip.
    ///
    /// - Parameters:
    ///   - sql: The text, of one statement.
    ///   - parameters: What stands for `$1`, `$2`, …
    ///   - limit: The longest time that it may take; what the settings say, unless it is given.
    /// - Returns: The answer; the server has committed by then.
    /// - Throws: As ``withTransaction(_:_:)``.
    @discardableResult
    public nonisolated(nonsending) func query(
        _ sql: String,
        _ parameters: [(any PostgreSQLEncodable)?] = [],
        within limit: Duration? = nil
    ) async throws -> PostgreSQLResult {
        try StatementCheck.check(sql)
        let statement = try EncodedStatement(PostgreSQLStatement(sql, parameters))
        return try await withConnection { lease in
            try await lease.use { try await $0.run(statement, within: limit) }
        }
    }

    /// Takes a lease, and another one where its connection had been lost before anything was sent.
    private nonisolated(nonsending) func withConnection<Value>(
        _ work: nonisolated(nonsending) (borrowing Lease<PostgreSQLConnection>) async throws -> Value
    ) async throws -> Value {
        // As many as can have been idle when the server went away.
        for _ in 0..<connections {
            do { return try await leases.withLease(work) } catch is StaleConnection { continue }
        }
        return try await leases.withLease(work)
    }

    /// The number of connections and of those who wait, at this moment.
    public var counts: LeasePoolCounts { pool.counts }

    /// Refuses new transactions, sends away who waits, and closes what is idle; what is in use is closed when it comes back.
    ///
    /// - Returns: How many are in use still.
    @discardableResult
    public func shutDown() -> Int { pool.shutDown() }
}
