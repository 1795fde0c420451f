import MultiIdentity
public import MultiIdentityLease

#if !PostgreSQL
#error("Take this package with the trait \"PostgreSQL\": .package(path: …, traits: [\"PostgreSQL\"])")
#endif

/// A PostgreSQL database in which each transaction has the effective identity of its work.
///
/// ```swift
/// let database = try PostgreSQLDatabase("postgresql://app@localhost/notes", connections: 16)
/// try await withIdentity(ada) {
///     let titles = try await database.withTransaction { transaction in
///         try await transaction.query("SELECT title FROM notes").rows.map { $0["title"] }
///     }
/// }
/// ```
///
/// The server gets a transaction's identity with its first statement, and drops it at the transaction's end; the
/// server's policies decide what is visible. A connection in an uncertain state is closed.
public final class PostgreSQLDatabase: Sendable {
    private let pool: ResourcePool<PostgreSQLConnection>
    private let leases: IdentityPool<PostgreSQLConnection>
    /// The number of times that a connection can turn out to be lost: as many as can have been idle when the server went away.
    private let connections: Int

    /// Creates a database, which opens connections when they are needed.
    ///
    /// - Parameters:
    ///   - url: The database, as libpq reads it: `postgresql://role@host/database`.
    ///   - connections: The largest number of connections; at least 1 is used.
    ///   - settings: The limits and further settings.
    /// - Throws: ``PostgreSQLError`` with `.badURL`.
    public init(
        _ url: String,
        connections: Int = 16,
        settings: PostgreSQLSettings = PostgreSQLSettings()
    ) throws(PostgreSQLError) {
        try PostgreSQLWire.check(url)
        self.connections = max(1, connections)
        pool = ResourcePool(
            PoolLimits(
                maxResources: connections,
                waitTimeout: settings.connectionWait,
                idleTimeout: settings.connectionIdle
            ),
            open: {
                let connection = try await PostgreSQLConnection.open(url, settings: settings)
                try await connection.checkRole()
                return connection
            },
            close: { $0.close() },
            interrupt: { $0.interrupt() },
            observer: settings.observer
        )
        var leasing = LeaseSettings()
        leasing.withoutIdentity = settings.withoutIdentity
        leasing.maxDuration = settings.transactionLimit
        leasing.onClosing = settings.onClosing
        // `clear` knows the server's last state, and throws unless that is "idle".
        leasing.afterError = .cleared
        leasing.verification = .never
        leases = IdentityPool(
            of: pool,
            binding: LeaseBinding(
                // The name by which identities are compared; nobody's is empty.
                bind: { try $0.bind(to: $1.isNobody ? "" : $1.caselessName) },
                clear: { try $0.clear() }
            ),
            settings: leasing
        )
    }

    /// Runs `work` in a transaction of its effective identity and commits it; rolls it back if `work` throws.
    ///
    /// Each statement takes one round trip, and so does the end; the identity takes none.
    ///
    /// - Parameter work: The work.
    /// - Returns: The result of `work`, after the server has committed.
    /// - Throws: ``PostgreSQLError``; `LeaseError` or `IdentityError` if the lease is refused; `CancellationError`;
    ///   the error of `work`.
    @discardableResult
    public nonisolated(nonsending) func withTransaction<Value>(
        _ work: nonisolated(nonsending) (PostgreSQLTransaction) async throws -> Value
    ) async throws -> Value {
        try await withLease { lease in
            let transaction = try PostgreSQLTransaction(lease)
            let value: Value
            do { value = try await work(transaction) } catch {
                await transaction.rollBack()
                throw error
            }
            try await transaction.commit()
            return value
        }
    }

    /// Runs one statement in its own transaction, in one round trip.
    ///
    /// - Parameters:
    ///   - sql: The text of one statement.
    ///   - parameters: The values of `$1`, `$2`, … as PostgreSQL reads them; `nil` is null.
    ///   - limit: The longest time that it may take; by default the settings'.
    /// - Returns: The answer, after the server has committed.
    /// - Throws: Like ``withTransaction(_:)``.
    @discardableResult
    public nonisolated(nonsending) func query(
        _ sql: String,
        _ parameters: [String?] = [],
        within limit: Duration? = nil
    ) async throws -> PostgreSQLResult {
        try StatementCheck.check(sql)
        let statement = try PostgreSQLStatement(sql, parameters)
        return try await withLease { lease in
            // It commits by itself.
            try await lease.reference.commit { try await $0.run(statement, as: .whole, within: limit).only }
        }
    }

    private nonisolated(nonsending) func withLease<Value>(
        _ work: nonisolated(nonsending) (borrowing Lease<PostgreSQLConnection>) async throws -> Value
    ) async throws -> Value {
        var attempts = 0
        while true {
            do { return try await leases.withLease(work) } catch is StaleConnection where attempts < connections {
                // Nothing was sent, and the work has not begun.
                attempts += 1
            }
        }
    }

    /// The current number of connections and of waiting callers.
    public var counts: PoolCounts { pool.counts }

    /// Refuses new transactions and waiting callers, and closes idle connections; others are closed when they are returned.
    ///
    /// - Returns: The number of connections that are still in use.
    @discardableResult
    public func shutDown() -> Int { pool.shutDown() }
}

/// The settings of a database.
public struct PostgreSQLSettings: Sendable {
    /// The longest time to wait for a connection, or `nil` for no limit.
    public var connectionWait: Duration? = .seconds(30)
    /// The longest time that an idle connection is kept, or `nil` for no limit.
    public var connectionIdle: Duration?
    /// The longest time for the answer to a round trip; the connection is closed afterwards.
    public var statementLimit: Duration = .seconds(30)
    /// The time from a request to stop until the connection is closed, if the server does not answer.
    public var cancellationLimit: Duration = .seconds(2)
    /// The longest time that a transaction may last, or `nil` for no limit.
    public var transactionLimit: Duration?
    /// Decides what happens to work without an identity: it is refused, or runs as nobody.
    public var withoutIdentity = LeaseSettings.WithoutIdentity.refused
    /// Called for each connection that is closed instead of returned.
    public var onClosing: (@Sendable (LeaseClosing) -> Void)?
    /// Called with what happens to the connections, as `LeasePoolMetrics` wants.
    public var observer: (@Sendable (PoolEvent) -> Void)?

    /// Creates the safest settings, which require only policies on the server.
    public init() {}
}
