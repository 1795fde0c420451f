import MultiIdentity
public import MultiIdentityLease

#if !PostgreSQL
#error("Take this package with the trait \"PostgreSQL\": .package(path: …, traits: [\"PostgreSQL\"])")
#endif

/// A PostgreSQL database in which each transaction is of the identity that the work counts as.
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
/// The server learns a transaction's identity together with its first statement, and forgets it at the transaction's end; its
/// policies decide what is seen. A connection in a state that is not known for certain is closed.
public final class PostgreSQLDatabase: Sendable {
    private let pool: LeasePool<PostgreSQLConnection>
    private let leases: IdentityLease<PostgreSQLConnection>
    /// The number of times that a connection can turn out to be lost: as many as can have been idle when the server went away.
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
        try PostgreSQLWire.check(url)
        self.connections = max(1, connections)
        pool = LeasePool(
            LeasePoolLimits(
                resources: connections,
                wait: settings.connectionWait,
                idle: settings.connectionIdle
            ),
            open: {
                let connection = try await PostgreSQLConnection.open(url, settings: settings)
                try await connection.checkRole()
                return connection
            },
            close: { $0.close() },
            interrupt: { $0.interrupt() }
        )
        var leasing = LeaseSettings()
        leasing.withoutIdentity = settings.withoutIdentity
        leasing.maxDuration = settings.transactionLimit
        leasing.onClosing = settings.onClosing
        // `clear` knows what the server said last, and throws wherever that is not "idle".
        leasing.afterError = .cleared
        leasing.verification = .never
        leases = IdentityLease(
            of: pool,
            binding: LeaseBinding(
                // The name by which two identities are equal or not; nobody's is empty.
                bind: { try $0.bind(to: $1.isNobody ? "" : $1.caselessName) },
                clear: { try $0.clear() }
            ),
            settings: leasing
        )
    }

    /// Runs `work` in a transaction of the identity that it counts as, and commits it; rolls it back where `work` throws.
    ///
    /// Each statement takes one round trip, and so does the end; the identity takes none.
    ///
    /// - Parameter work: The work.
    /// - Returns: What `work` returns; the server has committed by then.
    /// - Throws: ``PostgreSQLError``; `LeaseError` or `IdentityError` where the lease is refused; `CancellationError`;
    ///   what `work` throws.
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

    /// Runs one statement in a transaction of its own, in one round trip.
    ///
    /// - Parameters:
    ///   - sql: The text, of one statement.
    ///   - parameters: What stands for `$1`, `$2`, … as PostgreSQL reads it; `nil` is null.
    ///   - limit: The longest time that it may take; what the settings say, unless it is given.
    /// - Returns: The answer; the server has committed by then.
    /// - Throws: As ``withTransaction(_:)``.
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

    /// The number of connections and of those who wait, at this moment.
    public var counts: LeasePoolCounts { pool.counts }

    /// Refuses new transactions, sends away who waits, and closes what is idle; what is in use is closed when it comes back.
    ///
    /// - Returns: How many are in use still.
    @discardableResult
    public func shutDown() -> Int { pool.shutDown() }
}

/// The settings of a database.
public struct PostgreSQLSettings: Sendable {
    /// The longest time that anybody waits for a connection, or `nil` for as long as it takes.
    public var connectionWait: Duration? = .seconds(30)
    /// The longest time that a connection is kept that nobody uses, or `nil` for good.
    public var connectionIdle: Duration?
    /// The longest time that the answer to a round trip may take; the connection is closed afterwards.
    public var statementLimit: Duration = .seconds(30)
    /// The time from a request to stop until the connection is given up, if the server says nothing.
    public var cancellationLimit: Duration = .seconds(2)
    /// The longest time that a transaction may last, or `nil` for as long as it takes.
    public var transactionLimit: Duration?
    /// Decides what happens to work that has no identity: it is refused, or runs as nobody.
    public var withoutIdentity = LeaseSettings.WithoutIdentity.refused
    /// Called for each connection that is closed rather than returned.
    public var onClosing: (@Sendable (LeaseClosing) -> Void)?

    /// The settings that are safest and need nothing of the server but policies.
    public init() {}
}
