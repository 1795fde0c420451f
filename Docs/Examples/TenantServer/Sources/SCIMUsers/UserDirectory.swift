public import Foundation
import GRDB
import HTTPTypes
public import MultiIdentity

/// The users of an organisation, as its directory sends them, in SQLite.
///
/// What a change means for the program is written down with the change, and forgotten once the program has acted on it.
public final class UserDirectory: Sendable {
    /// A user with what the server adds.
    struct User: Sendable {
        let id: String
        let attributes: UserAttributes
        let version: Int64
        let created: Date
        let changed: Date
    }

    private let database: DatabaseQueue
    private let now: @Sendable () -> Date

    /// Opens the database, or makes it.
    ///
    /// - Parameters:
    ///   - path: The database's file.
    ///   - now: The time of day, for tests.
    /// - Throws: What the database throws.
    public init(path: String, now: @escaping @Sendable () -> Date = { Date() }) throws {
        self.now = now
        // For its owner alone, since it holds names.
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        var configuration = Configuration()
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
        database = try DatabaseQueue(path: path, configuration: configuration)
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS users (
                        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, key TEXT NOT NULL UNIQUE,
                        external TEXT, active INTEGER NOT NULL, attributes BLOB NOT NULL, version INTEGER NOT NULL,
                        created REAL NOT NULL, changed REAL NOT NULL
                    );
                    CREATE INDEX IF NOT EXISTS users_external ON users (external);
                    CREATE TABLE IF NOT EXISTS owed (
                        number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, exists_now INTEGER NOT NULL
                    );
                    """
            )
        }
    }

    /// Returns whether a user of this name is there and active.
    ///
    /// - Parameter identity: The name.
    /// - Returns: Whether they are.
    /// - Throws: What the database throws; then nothing is known of them.
    public func isActive(_ identity: Identity) throws -> Bool {
        try database.read { db in
            try Bool.fetchOne(
                db,
                sql: "SELECT EXISTS (SELECT 1 FROM users WHERE key = ? AND active)",
                arguments: [identity.caselessName]
            ) ?? false
        }
    }

    func user(_ id: String) async throws -> User? {
        try await database.read { db in try Self.user(id, in: db) }
    }

    /// Returns a part of the users that meet a filter, oldest first, and how many meet it.
    func users(_ filter: UserFilter?, from start: Int, count: Int) async throws -> (users: [User], total: Int) {
        // By an index where the filter names what has one.
        let (condition, arguments): (String, StatementArguments) =
            if let name = filter?.required("userName"), let identity = try? Identity(name) {
                ("WHERE key = ?", [identity.caselessName])
            } else if let id = filter?.required("externalId") {
                ("WHERE external = ?", [id])
            } else if let id = filter?.required("id") { ("WHERE id = ?", [id]) } else { ("", []) }
        return try await database.read { db in
            let sql = "\(Self.columns) \(condition) ORDER BY number"
            guard let filter else {
                let total = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM users") ?? 0
                let page = try Row.fetchAll(db, sql: "\(sql) LIMIT ? OFFSET ?", arguments: [count, start])
                return (try page.map(Self.user), total)
            }
            var (users, total): ([User], Int) = ([], 0)
            let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
            while let row = try rows.next() {
                let user = try Self.user(row)
                guard filter.matches(user.attributes.values.merging(["id": .text(user.id)]) { $1 }) else { continue }
                total += 1
                if total > start, users.count < count { users.append(user) }
            }
            return (users, total)
        }
    }

    /// Adds a user, with what the program owes to that.
    func add(_ attributes: UserAttributes) async throws -> User {
        let now = now()
        return try await database.write { db in
            try Self.checkName(of: attributes, isFreeFor: nil, in: db)
            let user = User(
                id: UUID().uuidString.lowercased(),
                attributes: attributes,
                version: 1,
                created: now,
                changed: now
            )
            try db.execute(
                sql: """
                    INSERT INTO users (id, key, external, active, attributes, version, created, changed)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    user.id, attributes.identity.caselessName, attributes.externalID, attributes.isActive,
                    try JSONEncoder().encode(attributes.values), user.version, now.timeIntervalSince1970,
                    now.timeIntervalSince1970,
                ]
            )
            try Self.owe(DirectoryChange.between(nil, attributes), in: db)
            return user
        }
    }

    /// Changes a user, or removes it where the change gives `nil`; all that is looked at is of one moment.
    ///
    /// - Parameters:
    ///   - id: The user.
    ///   - version: The version that it has to have, if any.
    ///   - change: Gives the new attributes.
    /// - Returns: The user before, and after.
    /// - Throws: ``SCIMError``, and what the database throws.
    func change(
        _ id: String,
        ifVersion version: String?,
        _ change: @escaping @Sendable (UserAttributes) throws(SCIMError) -> UserAttributes?
    ) async throws -> (before: User, after: User?) {
        let now = now()
        return try await database.write { db in
            guard let user = try Self.user(id, in: db) else { throw SCIMError.notFound }
            guard version == nil || version == "*" || version == user.tag else {
                throw SCIMError(.preconditionFailed, nil, "The user has changed meanwhile. Look at it again.")
            }
            let attributes = try change(user.attributes)
            guard attributes != user.attributes else { return (user, user) }
            try Self.owe(DirectoryChange.between(user.attributes, attributes), in: db)
            guard let attributes else {
                try db.execute(sql: "DELETE FROM users WHERE id = ?", arguments: [id])
                return (user, nil)
            }
            try Self.checkName(of: attributes, isFreeFor: id, in: db)
            try db.execute(
                sql: """
                    UPDATE users SET key = ?, external = ?, active = ?, attributes = ?, version = version + 1, changed = ?
                    WHERE id = ?
                    """,
                arguments: [
                    attributes.identity.caselessName, attributes.externalID, attributes.isActive,
                    try JSONEncoder().encode(attributes.values), now.timeIntervalSince1970, id,
                ]
            )
            return (user, try Self.user(id, in: db))
        }
    }

    /// The changes that the program has not acted on, oldest first.
    func owed() async throws -> [(number: Int64, change: DirectoryChange)] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT number, name, exists_now FROM owed ORDER BY number").map { row in
                let identity = try Identity(row["name"] as String)
                return (row["number"], row["exists_now"] ? .exists(identity) : .left(identity))
            }
        }
    }

    func settle(_ number: Int64) async throws {
        try await database.write { db in
            try db.execute(sql: "DELETE FROM owed WHERE number = ?", arguments: [number])
        }
    }

    private static func owe(_ changes: [DirectoryChange], in db: Database) throws {
        for change in changes {
            let isThere = change == .exists(change.identity)
            try db.execute(
                sql: "INSERT INTO owed (name, exists_now) VALUES (?, ?)",
                arguments: [change.identity.name, isThere]
            )
        }
    }

    private static func checkName(of attributes: UserAttributes, isFreeFor id: String?, in db: Database) throws {
        let other = try String.fetchOne(
            db,
            sql: "SELECT id FROM users WHERE key = ?",
            arguments: [attributes.identity.caselessName]
        )
        guard other == nil || other == id else {
            throw SCIMError(.uniqueness, "Another user has this userName, or one that differs in case alone.")
        }
    }

    private static let columns = "SELECT id, attributes, version, created, changed FROM users"

    private static func user(_ id: String, in db: Database) throws -> User? {
        try Row.fetchOne(db, sql: "\(columns) WHERE id = ?", arguments: [id]).map(user)
    }

    private static func user(_ row: Row) throws -> User {
        User(
            id: row["id"],
            attributes: try UserAttributes(
                JSONDecoder().decode([String: AttributeValue].self, from: row["attributes"] as Data)
            ),
            version: row["version"],
            created: Date(timeIntervalSince1970: row["created"]),
            changed: Date(timeIntervalSince1970: row["changed"])
        )
    }
}

extension UserDirectory.User {
    /// The version as an entity tag.
    var tag: String { "W/\"\(version)\"" }
}
