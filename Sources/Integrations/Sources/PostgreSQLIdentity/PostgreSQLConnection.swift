import Dispatch
import MultiIdentity
import Synchronization

/// A plain connection without an identity, for migrations and administration.
///
/// Work of identities uses ``PostgreSQLDatabase``. One statement runs at a time; a separate thread waits for the answer.
public final class PostgreSQLConnection: Sendable {
    let wire: PostgreSQLWire
    let queue = DispatchQueue(label: "postgresql connection")
    let state = Mutex(State())
    let limit: Duration
    /// The number of the connection, which is unique in this process.
    public let number: Int

    private static let opened = Atomic(0)

    private init(_ wire: PostgreSQLWire, _ limit: Duration) {
        self.wire = wire
        self.limit = limit
        number = Self.opened.wrappingAdd(1, ordering: .relaxed).newValue
    }

    deinit { wire.cut() }

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - url: The database, as libpq reads it: `postgresql://role@host/database`.
    ///   - settings: The longest times that an answer may take.
    /// - Returns: The connection.
    /// - Throws: ``PostgreSQLError``.
    public static func open(
        _ url: String,
        settings: PostgreSQLSettings = PostgreSQLSettings()
    ) async throws -> PostgreSQLConnection {
        try PostgreSQLWire.check(url)
        let wire = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result { try PostgreSQLWire(url, cancellationLimit: settings.cancellationLimit) }
                )
            }
        }
        return PostgreSQLConnection(wire, settings.statementLimit)
    }

    /// Throws if policies do not restrict the connection's role.
    func checkRole() async throws {
        let question =
            "SELECT FROM pg_catalog.pg_roles WHERE rolname = current_user AND NOT rolsuper AND NOT rolbypassrls"
        guard try await query(question).rows.isEmpty else { return }
        close()
        throw PostgreSQLError(
            .refusedRole,
            "The URL's role bypasses policies. Use a role that is not a superuser and has no BYPASSRLS."
        )
    }

    /// Runs a statement, in its own transaction unless one is open.
    ///
    /// - Parameters:
    ///   - sql: The text of one statement.
    ///   - parameters: The values of `$1`, `$2`, … as PostgreSQL reads them; `nil` is null.
    ///   - limit: The longest time that it may take; by default the connection's.
    /// - Returns: The answer.
    /// - Throws: ``PostgreSQLError``; `CancellationError`, after which the connection cannot be used.
    @discardableResult
    public nonisolated(nonsending) func query(
        _ sql: String,
        _ parameters: [String?] = [],
        within limit: Duration? = nil
    ) async throws -> PostgreSQLResult {
        try await run(try PostgreSQLStatement(sql, parameters), as: .plain, within: limit).only
    }

    /// Closes the connection; running statements fail.
    public func close() {
        state.withLock { $0.failure = $0.failure ?? .closed }
        wire.cut()
    }

    /// Interrupts the running statement, from any thread, since its identity was revoked.
    func interrupt() { wire.interrupt(.revoked) }
}

extension [PostgreSQLResult] {
    /// The answer to the one statement that was sent.
    var only: PostgreSQLResult {
        get throws(PostgreSQLError) {
            if let first { return first }
            throw PostgreSQLError(.unusable, "The server did not answer a statement. Send one that is not empty.")
        }
    }
}
