import Foundation
import GRDB
import MultiIdentityPolicy

/// The sets of policies that were ever in force, and which of them each reader has, in SQLite.
final class PolicyVersions: Sendable {
    /// A set of policies.
    struct Version: Sendable {
        let number: Int64
        let text: Data
        /// When it was published, in seconds since 1970: the time that its signature names.
        let published: Int64
    }

    /// A reader, and the version that it was given last.
    struct Reader: Codable, Sendable {
        let name: String
        let version: Int64
        let seen: Int64
    }

    private let database: DatabaseQueue
    private let bell = Bell()

    /// - Parameter path: The database's file; made if it is not there, with a set that allows nothing.
    /// - Throws: What the database throws.
    init(path: String) throws {
        database = try DatabaseQueue(path: path)
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS versions (
                        number INTEGER PRIMARY KEY AUTOINCREMENT, text BLOB NOT NULL, published INTEGER NOT NULL
                    );
                    CREATE TABLE IF NOT EXISTS readers (
                        name TEXT PRIMARY KEY, version INTEGER NOT NULL, seen INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    """
            )
            guard try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM versions") == 0 else { return }
            try Self.insert(Data(#"{"version": 1}"#.utf8), into: db)
        }
    }

    /// The version in force.
    func current() async throws -> Version { try await database.read { db in try Self.current(of: db) } }

    /// Waits for another version than one, as long as that takes at most.
    func another(than number: Int64, within limit: Duration) async throws -> Version {
        // Before looking: what is published in between rings.
        let rings = bell.listen()
        let version = try await current()
        guard version.number == number, limit > .zero else { return version }
        await withTaskGroup { group in
            group.addTask { for await _ in rings { break } }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
        return try await current()
    }

    /// Puts a set in force, in the place of the one that its editor saw.
    ///
    /// - Parameters:
    ///   - text: The set, as `PolicySet` reads it.
    ///   - number: The version that it takes the place of.
    /// - Returns: The version in force; another one than `number` and one more where somebody was faster.
    /// - Throws: `PolicyTextError` where it is none, or what the database throws.
    func publish(_ text: Data, inPlaceOf number: Int64) async throws -> (Version, isPublished: Bool) {
        _ = try PolicySet(json: text)
        let outcome = try await database.write { db in
            let before = try Self.current(of: db)
            guard before.number == number else { return (before, false) }
            // Never the time of the one before: readers refuse what was not signed after it.
            try Self.insert(text, into: db, after: before.published)
            return (try Self.current(of: db), true)
        }
        if outcome.1 { bell.ring() }
        return outcome
    }

    /// Notes that a reader was given a version.
    func note(_ name: String, _ number: Int64) async throws {
        let now = Int64(Date().timeIntervalSince1970)
        try await database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO readers (name, version, seen) VALUES (?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET version = excluded.version, seen = excluded.seen
                    """,
                arguments: [name, number, now]
            )
        }
    }

    /// All readers, by name.
    func readers() async throws -> [Reader] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT name, version, seen FROM readers ORDER BY name").map { row in
                Reader(name: row["name"], version: row["version"], seen: row["seen"])
            }
        }
    }

    private static func current(of db: Database) throws -> Version {
        let sql = "SELECT number, text, published FROM versions ORDER BY number DESC LIMIT 1"
        guard let row = try Row.fetchOne(db, sql: sql) else { throw DatabaseError(message: "There is no version.") }
        return Version(number: row["number"], text: row["text"], published: row["published"])
    }

    private static func insert(_ text: Data, into db: Database, after: Int64 = 0) throws {
        let now = max(Int64(Date().timeIntervalSince1970), after + 1)
        try db.execute(sql: "INSERT INTO versions (text, published) VALUES (?, ?)", arguments: [text, now])
    }
}
