import MultiIdentity
import PostgreSQLIdentity

/// The tenants, and the rows that each has before anything runs.
struct Tenants: Sendable {
    static let rowsAtFirst = 5

    let all: [Identity]

    init(_ count: Int) throws { all = try (0..<count).map { try Identity("tenant-\($0)@contoso.com") } }

    /// Gives each its first rows, as the superuser.
    func seed(_ url: String) async throws {
        let owner = try await PostgreSQLConnection.open(url)
        defer { owner.close() }
        try await owner.query(
            "INSERT INTO notes (owner, title) SELECT 'tenant-' || t || '@contoso.com', 'seed' FROM generate_series(0, $1::int - 1) t, generate_series(1, \(Self.rowsAtFirst))",
            [all.count]
        )
        try await owner.query("DROP INDEX notes_owner")
        try await owner.query("CREATE INDEX notes_owner ON notes (owner, number)")
        try await owner.query("ANALYZE notes")
    }
}

/// A way in which the run is broken on purpose, to see that it is noticed.
enum Sabotage: String, CaseIterable, Sendable {
    /// The identity is set for the session and not for the transaction.
    case session
    /// The table has no policy any more.
    case policy
    /// A commit is said to be one although it was rolled back.
    case acknowledgement

    /// The SQL that makes it so, on the server.
    var sql: String? {
        switch self {
        case .session:
            """
            CREATE FUNCTION identity.enter(name text) RETURNS text LANGUAGE sql RETURN set_config('app.identity', name, false)
            """
        case .policy: "ALTER TABLE notes DISABLE ROW LEVEL SECURITY"
        case .acknowledgement: nil
        }
    }
}
