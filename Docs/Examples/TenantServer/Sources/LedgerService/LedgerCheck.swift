import GRDB
import JobQueue
import PostgreSQLIdentity
import PostgreSQLJobs

/// Counts of the database that show whether every entry has one receipt, made as its owner, and what has become of
/// the jobs.
public struct LedgerCheck: Hashable, Sendable, Codable {
    /// The number of entries.
    public var entries: Int
    /// The number of receipts.
    public var receipts: Int
    /// Receipts that were made as somebody else than the entry's owner.
    public var wrongReceipts: Int
    /// Entries of nobody and of unset, of which a service that refuses such calls has none.
    public var ownerlessEntries: Int
    /// Jobs that are still to be done or being done.
    public var openJobs: Int
    /// Jobs that were put aside.
    public var deadJobs: Int
    /// Receipts that took more than one attempt: their first worker was killed, or failed.
    public var repeatedJobs: Int

    /// True if all is done, and as the right owner.
    public var isRight: Bool {
        wrongReceipts == 0 && ownerlessEntries == 0 && openJobs == 0 && deadJobs == 0 && receipts == entries
    }

    private static let questions = [
        "FROM entries", "FROM receipts",
        "FROM receipts JOIN entries ON entry = number WHERE made_kind <> owner_kind OR made_key <> owner_key",
        "FROM entries WHERE owner_kind <> 'named'", "FROM jobs WHERE finished_at IS NULL",
        "FROM jobs WHERE state = 'dead'",
        "FROM receipts WHERE attempt > 1",
    ].map { TableStatement("SELECT COUNT(*) AS number " + $0) }

    /// The answers to `questions`, in their order.
    private init(_ numbers: [Int]) {
        (entries, receipts, wrongReceipts, ownerlessEntries) = (numbers[0], numbers[1], numbers[2], numbers[3])
        (openJobs, deadJobs, repeatedJobs) = (numbers[4], numbers[5], numbers[6])
    }

    /// Counts in a database that may be in use; nothing is made or changed.
    ///
    /// - Parameter path: The database's file.
    /// - Throws: Whatever the database throws, as where there is no such file or it is no ledger's.
    public init(database path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let database = try DatabaseQueue(path: path, configuration: configuration)
        self = try database.read { db in
            LedgerCheck(try Self.questions.map { try Int(db.rows($0).first?.number(of: "number") ?? 0) })
        }
    }

    /// Counts on PostgreSQL, as a role that sees all rows.
    ///
    /// - Parameter url: The database; another role than that which serves.
    /// - Throws: `PostgreSQLError`, as where policies would keep rows from the role: what it did not see it could not count.
    public init(postgreSQL url: String) async throws {
        let connection = try await PostgreSQLConnection.open(url)
        defer { connection.close() }
        // An error instead of fewer rows.
        try await connection.query("SET row_security = off")
        try await connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        var numbers: [Int] = []
        for question in Self.questions {
            numbers.append(try await connection.run(question).rows.first?.decode(Int.self, "number") ?? 0)
        }
        self.init(numbers)
    }
}
