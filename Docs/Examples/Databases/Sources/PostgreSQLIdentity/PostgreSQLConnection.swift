import CPostgreSQL
import Dispatch
import Synchronization

/// A connection as it is, which is nobody's: for migrations and administration.
///
/// Work of identities goes through ``PostgreSQLDatabase``. One statement, or one pipeline, at a time; no thread waits for the answer.
public final class PostgreSQLConnection: Sendable {
    let wire: PostgreSQLWire
    let limit: UInt64
    /// The number of the connection, which no other one of this process has.
    public let number: Int

    private static let opened = Atomic(0)

    private init(_ wire: PostgreSQLWire, _ limit: Duration) {
        self.wire = wire
        self.limit = limit.nanoseconds
        number = Self.opened.wrappingAdd(1, ordering: .relaxed).newValue
    }

    deinit { wire.close(because: .closed) }

    /// Throws where a URL cannot be read.
    static func check(_ url: String) throws(PostgreSQLError) { try PostgreSQLConnecting.check(url) }

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - url: Where the database is, as libpq reads it: `postgresql://role@host/database`.
    ///   - limit: The longest time that an answer may take.
    /// - Returns: The connection.
    /// - Throws: ``PostgreSQLError``.
    public static func open(_ url: String, limit: Duration = .seconds(30)) async throws -> PostgreSQLConnection {
        var settings = PostgreSQLSettings()
        settings.role = .unchecked
        settings.statementLimit = limit
        return try await open(url, settings)
    }

    static func open(_ url: String, _ settings: PostgreSQLSettings) async throws -> PostgreSQLConnection {
        try check(url)
        let wire = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result { try PostgreSQLWire(url, cancellationLimit: settings.cancellationLimit) }
                )
            }
        }
        let connection = PostgreSQLConnection(wire, settings.statementLimit)
        try await connection.checkRole(settings.role)
        return connection
    }

    /// Runs a statement, in a transaction of its own unless one is open.
    ///
    /// - Parameters:
    ///   - sql: The text, of one statement.
    ///   - parameters: What stands for `$1`, `$2`, …
    ///   - limit: The longest time that it may take; the connection's, unless it is given.
    /// - Returns: The answer.
    /// - Throws: ``PostgreSQLError``; `CancellationError`, after which the connection is of no more use.
    @discardableResult
    public nonisolated(nonsending) func query(
        _ sql: String,
        _ parameters: [(any PostgreSQLEncodable)?] = [],
        within limit: Duration? = nil
    ) async throws -> PostgreSQLResult {
        let statement = try EncodedStatement(sql, parameters)
        return try await wire.run([statement], as: .plain, within: limit?.nanoseconds ?? self.limit).only
    }

    /// Runs statements one after another, in one round trip, and in one transaction unless they begin and end their own.
    ///
    /// - Parameters:
    ///   - statements: The statements.
    ///   - limit: The longest time that all may take; the connection's, unless it is given.
    /// - Returns: The answers, in order.
    /// - Throws: As ``query(_:_:within:)``; the first that fails ends it.
    @discardableResult
    public nonisolated(nonsending) func pipeline(
        _ statements: [PostgreSQLStatement],
        within limit: Duration? = nil
    ) async throws -> [PostgreSQLResult] {
        let encoded = try statements.map { try EncodedStatement($0.sql, $0.parameters) }
        return try await wire.run(encoded, as: .plain, within: limit?.nanoseconds ?? self.limit)
    }

    /// Closes the connection; what runs on it fails.
    public func close() { wire.close(because: .closed) }

    /// True unless the connection was closed or lost, or is in doubt.
    public var isUsable: Bool { wire.state.withLock { $0.failure == nil } }
}

// What a lease does with a connection.
extension PostgreSQLConnection {
    /// Notes the next transaction's identity; its first statement takes that along.
    func bind(to text: String, by binding: PostgreSQLBinding) throws {
        let statement = try EncodedStatement(fixed: binding.sql, text)
        let isUsable = wire.state.withLock { state -> Bool in
            state.turn += 1
            state.owed = OwedBeginning(binding: statement)
            return state.failure == nil
        }
        if !isUsable { throw StaleConnection() }
    }

    /// Has the next statement begin a transaction that goes on.
    ///
    /// - Returns: The number of the lease, which each statement of the transaction has to name.
    func begin(_ isolation: PostgreSQLIsolation) -> UInt64 {
        wire.state.withLock { state in
            state.owed?.begin = isolation
            return state.turn
        }
    }

    /// Runs a statement as the whole transaction.
    nonisolated(nonsending) func run(_ statement: EncodedStatement, within limit: Duration?) async throws
        -> [PostgreSQLResult]
    {
        try await wire.run([statement], as: .whole, within: limit?.nanoseconds ?? self.limit)
    }

    /// Forgets the last transaction's identity.
    func clear() throws { try wire.clear() }

    /// Cuts short what runs, from any thread.
    func interrupt() { wire.interrupt(.revoked) }

    private func checkRole(_ role: PostgreSQLSettings.Role) async throws {
        guard let question = role.question else { return }
        guard let row = try await query(question).rows.first, row["powers"] == "" else {
            close()
            throw PostgreSQLError(
                .refusedRole,
                "The role of the URL can do what it must not. Name another one, or take that from it (Docs/Databases.md)."
            )
        }
    }
}

/// A connection that was lost while nobody used it.
@usableFromInline
struct StaleConnection: Error {
    @usableFromInline init() {}
}

extension [PostgreSQLResult] {
    /// The answer to the one statement that was sent.
    var only: PostgreSQLResult {
        get throws(PostgreSQLError) {
            if let first { return first }
            throw PostgreSQLError(.unusable, "The server gave no answer to a statement. Send one that is not empty.")
        }
    }
}

extension PostgreSQLWire {
    /// Throws unless the server has said that no transaction is open, and nothing is under way.
    func clear() throws(PostgreSQLError) {
        let refusal = state.withLock { state -> PostgreSQLError? in
            state.owed = nil
            if let failure = state.failure { return failure }
            if state.flight != nil { return .busy }
            return PQtransactionStatus(state.handle) == PQTRANS_IDLE ? nil : .transactionGoesOn
        }
        if let refusal { throw refusal }
    }
}

extension PostgreSQLError {
    static let over = PostgreSQLError(
        .unusable,
        "The transaction is over, and its connection is another's. Use it within withTransaction."
    )
    static let closed = PostgreSQLError(.unusable, "The connection is closed. Open another one.")
}

extension PostgreSQLSettings.Role {
    /// The statement that asks what a role can do that it must not: an empty text, or the names of it.
    var question: String? {
        let policed = "CASE WHEN rolsuper OR rolbypassrls THEN 'goes round policies' ELSE '' END"
        let sealed = """
            CASE WHEN has_function_privilege('pg_catalog.set_config(text, text, boolean)', 'EXECUTE') THEN ' set_config' ELSE '' END
            || CASE WHEN EXISTS (
                SELECT FROM pg_catalog.pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
                AND proname ~ '^pg_(try_)?advisory_lock' AND has_function_privilege(oid, 'EXECUTE')
            ) THEN ' advisory locks of the session' ELSE '' END
            || CASE WHEN has_database_privilege(current_database(), 'TEMPORARY') THEN ' temporary tables' ELSE '' END
            """
        switch self {
        case .unchecked: return nil
        case .policed: return "SELECT \(policed) AS powers FROM pg_catalog.pg_roles WHERE rolname = current_user"
        case .sealed:
            return "SELECT \(policed) || \(sealed) AS powers FROM pg_catalog.pg_roles WHERE rolname = current_user"
        }
    }
}
