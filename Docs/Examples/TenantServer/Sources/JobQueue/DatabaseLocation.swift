/// A database by its place: SQLite's by a file's path, PostgreSQL's by a URL for each of its two roles.
///
/// A URL can have a password in it: no text that this gives repeats one.
public enum DatabaseLocation: Hashable, Sendable {
    /// SQLite: the path of its file.
    case file(String)
    /// PostgreSQL: as the role that serves and is restricted by policies, and as the one that claims everybody's jobs.
    case postgreSQL(url: String, workers: String)

    /// Reads a place as settings have it.
    ///
    /// - Parameters:
    ///   - text: A path, or `postgresql://role@host/database`.
    ///   - workers: The same database as the role `job_worker`, where it is PostgreSQL.
    /// - Throws: ``DatabaseLocationError``.
    public init(_ text: String, workers: String? = nil) throws(DatabaseLocationError) {
        guard try Self.isURL(text) else {
            if workers != nil {
                throw DatabaseLocationError(
                    "the database is a file, which has no roles. Leave it out.",
                    isOfWorkers: true
                )
            }
            self = .file(text)
            return
        }
        guard let workers, try Self.isURL(workers) else {
            throw DatabaseLocationError(
                "on PostgreSQL it has to be the URL of the same database as the role job_worker, which claims everybody's jobs.",
                isOfWorkers: true
            )
        }
        self = .postgreSQL(url: text, workers: workers)
    }

    /// Tells a URL of PostgreSQL from a file's path.
    ///
    /// - Throws: ``DatabaseLocationError`` where it is neither: empty, or a URL of something else.
    public static func isURL(_ text: String) throws(DatabaseLocationError) -> Bool {
        if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") { return true }
        guard !text.isEmpty, !text.contains("://") else {
            throw DatabaseLocationError(
                "it is no path of a file and no postgresql:// URL. Give one of them.",
                isOfWorkers: false
            )
        }
        return false
    }
}

extension DatabaseLocation: CustomStringConvertible {
    /// The path, or the product's name.
    public var description: String {
        switch self {
        case .file(let path): path
        case .postgreSQL: "PostgreSQL"
        }
    }
}

/// A place of a database that cannot be used: what is wrong, without the place, which can have a password in it.
public struct DatabaseLocationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault, and what to do.
    public let description: String
    /// True where it is wrong with the place that is given for workers.
    public let isOfWorkers: Bool

    init(_ description: String, isOfWorkers: Bool) {
        self.description = description
        self.isOfWorkers = isOfWorkers
    }
}
