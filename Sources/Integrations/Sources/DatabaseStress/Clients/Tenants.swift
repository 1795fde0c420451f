import MultiIdentity
import PostgreSQLIdentity

/// The tenants, and the rows that each has before anything runs.
struct Tenants: Sendable {
    static let rowsAtFirst = 5

    let all: [Identity]

    init() throws { all = try (0..<1_000).map { try Identity("tenant-\($0)@contoso.com") } }

    /// Gives each its first rows, as the superuser.
    func seed(_ url: String) async throws {
        let owner = try await PostgreSQLConnection.open(url)
        defer { owner.close() }
        try await owner.query(
            """
            INSERT INTO notes (owner, title) SELECT 'tenant-' || t || '@contoso.com', 'seed'
            FROM generate_series(0, $1::int - 1) t, generate_series(1, \(Self.rowsAtFirst))
            """,
            ["\(all.count)"]
        )
        try await owner.query("ANALYZE notes")
    }
}
