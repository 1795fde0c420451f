public import GRDB

/// The ids of tokens that were acted on, as long as they could be sent again.
public struct ReceivedTokens: Sendable {
    private let database: any DatabaseWriter

    /// Keeps them in a database, in a table of their own.
    ///
    /// - Parameter database: The database.
    /// - Throws: What the database throws.
    public init(in database: any DatabaseWriter) throws {
        self.database = database
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS received_tokens (
                        issuer TEXT NOT NULL, id TEXT NOT NULL, until REAL NOT NULL, PRIMARY KEY (issuer, id)
                    ) WITHOUT ROWID
                    """
            )
        }
    }

    /// Returns whether a token was acted on.
    func has(_ id: String, of issuer: String) async throws -> Bool {
        try await database.read { db in
            try Bool.fetchOne(
                db,
                sql: "SELECT EXISTS (SELECT 1 FROM received_tokens WHERE issuer = ? AND id = ?)",
                arguments: [issuer, id]
            ) ?? false
        }
    }

    /// Notes a token, and forgets those that would be refused for their age.
    ///
    /// `until`, `now`: In seconds since 1970.
    func add(_ id: String, of issuer: String, until: Double, now: Double) async throws {
        try await database.write { db in
            try db.execute(sql: "DELETE FROM received_tokens WHERE until < ?", arguments: [now])
            try db.execute(
                sql: "INSERT OR IGNORE INTO received_tokens (issuer, id, until) VALUES (?, ?, ?)",
                arguments: [issuer, id, until]
            )
        }
    }
}
