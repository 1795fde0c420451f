public import GRDB
import JobQueue

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

    /// Counts.
    /// - Parameter db: The ledger's database.
    /// - Throws: Whatever the database throws.
    public init(_ db: Database) throws {
        func number(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
        entries = try number("SELECT COUNT(*) FROM entries")
        receipts = try number("SELECT COUNT(*) FROM receipts")
        wrongReceipts = try number(
            """
            SELECT COUNT(*) FROM receipts JOIN entries ON entry = number
            WHERE made_kind <> owner_kind OR made_key <> owner_key
            """
        )
        ownerlessEntries = try number("SELECT COUNT(*) FROM entries WHERE owner_kind <> 'named'")
        openJobs = try number("SELECT COUNT(*) FROM jobs WHERE finished_at IS NULL")
        deadJobs = try number("SELECT COUNT(*) FROM jobs WHERE state = 'dead'")
        repeatedJobs = try number("SELECT COUNT(*) FROM receipts WHERE attempt > 1")
    }

    /// Counts in a database that may be in use; nothing is made or changed.
    /// - Parameter path: The database's file.
    /// - Throws: Whatever the database throws, as where there is no such file or it is no ledger's.
    public init(database path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let database = try DatabaseQueue(path: path, configuration: configuration)
        self = try database.read { db in try LedgerCheck(db) }
    }
}
