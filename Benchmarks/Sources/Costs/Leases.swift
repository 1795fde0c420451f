import ArgumentParser
import CCosts
import MultiIdentity
import MultiIdentityLease
import Synchronization

/// Counts a transaction in a lease.
struct Leases: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts the instructions of a transaction in a lease, against the same transaction by hand.",
        discussion: """
            A transaction has four statements on an SQLite database in memory, so that little else hides the lease. By hand, \
            an array behind a lock is the pool, and the connection is bound and cleared as in the lease; its functions are \
            called as those of another module would be. Needs valgrind.
            """
    )

    func run() throws {
        var limits = Limits()
        for way in [LeaseLoop.Way.blocking, .asynchronous] {
            let byHand = try CountedRun(arguments: ["lease-loop", "\(way)-by-hand"]).instructions(long: 3_000)
            let leased = try CountedRun(arguments: ["lease-loop", "\(way)"]).instructions(long: 3_000)
            print("       \(way): \(byHand.figure) instructions by hand, \(leased.figure) in a lease")
            limits.hold("what the \(way) lease adds", 100 * (leased / byHand - 1), atMost: 3, "%")
        }
        try limits.end()
    }
}

/// Performs transactions: `costs leases` counts them.
struct LeaseLoop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "lease-loop", shouldDisplay: false)

    enum Way: String, CaseIterable, ExpressibleByArgument {
        case blocking, asynchronous
        case blockingByHand = "blocking-by-hand"
        case asynchronousByHand = "asynchronous-by-hand"
    }

    @Argument var way: Way
    @Argument var count: Int

    @concurrent func run() async throws {
        try await withIdentity(Identity("ada@contoso.com")) {
            switch way {
            case .blocking:
                let pool = Self.pool(LeaseTransactions { connection, step in connection.perform(step) })
                for _ in 0..<count {
                    try pool.withLeaseBlocking { lease in
                        try lease.withTransactionBlocking { try lease.use { $0.work() } }
                    }
                }
            case .asynchronous:
                let pool = Self.pool(
                    LeaseTransactions { (connection, step) async throws in connection.perform(step) }
                )
                for _ in 0..<count {
                    try await pool.withLease { lease in
                        try await lease.withTransaction { try lease.use { $0.work() } }
                    }
                }
            case .blockingByHand:
                let pool = HandwrittenPool()
                for _ in 0..<count {
                    pool.with { connection in connection.inTransaction { connection.work() } }
                }
            case .asynchronousByHand:
                let pool = HandwrittenPool()
                for _ in 0..<count {
                    await pool.withAwaited { connection in
                        await connection.inTransactionAwaited { connection.work() }
                    }
                }
            }
        }
    }

    private static func pool(_ transactions: LeaseTransactions<MemoryDatabase>) -> IdentityPool<MemoryDatabase> {
        let resources = ResourcePool(4, open: { () throws -> MemoryDatabase in MemoryDatabase() }, close: { _ in })
        return IdentityPool(
            of: resources,
            binding: LeaseBinding(bind: { $0.become($1) }, clear: { $0.become(nil) }, transactions: transactions)
        )
    }
}

/// A connection to a database of 100 rows in memory, which stores the identity that it was given.
private final class MemoryDatabase: Sendable {
    private let database: Int
    private let identity = Mutex<Identity?>(nil)

    init() {
        var opened: OpaquePointer?
        precondition(sqlite3_open(":memory:", &opened) == 0, "SQLite opens a database in memory.")
        database = Int(bitPattern: opened)
        execute("CREATE TABLE files (id INTEGER PRIMARY KEY, owner TEXT, size INTEGER)")
        execute("CREATE INDEX owners ON files (owner)")
        for row in 0..<100 { execute("INSERT INTO files (owner, size) VALUES ('user\(row % 10)', \(row))") }
    }

    deinit { sqlite3_close(OpaquePointer(bitPattern: database)) }

    func become(_ identity: Identity?) { self.identity.withLock { $0 = identity } }

    /// The four statements.
    func work() {
        execute("INSERT INTO files (owner, size) VALUES ('user1', 1)")
        execute("UPDATE files SET size = size + 1 WHERE id = 5")
        execute("SELECT count(*) FROM files WHERE owner = 'user2'")
        execute("DELETE FROM files WHERE id > 100")
    }

    func perform(_ step: LeaseTransactionStep) {
        switch step {
        case .begin: execute("BEGIN")
        case .commit: execute("COMMIT")
        default: execute("ROLLBACK")
        }
    }

    @inline(never)
    func inTransaction(_ work: () throws -> Void) rethrows {
        execute("BEGIN")
        do { try work() } catch {
            execute("ROLLBACK")
            throw error
        }
        execute("COMMIT")
    }

    @inline(never)
    nonisolated(nonsending) func inTransactionAwaited(
        _ work: nonisolated(nonsending) () async throws -> Void
    ) async rethrows {
        execute("BEGIN")
        do { try await work() } catch {
            execute("ROLLBACK")
            throw error
        }
        execute("COMMIT")
    }

    private func execute(_ statement: String) {
        let code = sqlite3_exec(OpaquePointer(bitPattern: database), statement, nil, nil, nil)
        precondition(code == 0, "SQLite performs \(statement).")
    }
}

/// A pool by hand: free connections behind a lock, bound and cleared around the work, whatever its result.
private final class HandwrittenPool: Sendable {
    private let free = Mutex<[MemoryDatabase]>([])

    @inline(never)
    func with(_ work: (MemoryDatabase) throws -> Void) rethrows {
        let connection = free.withLock { $0.popLast() } ?? MemoryDatabase()
        connection.become(Identity.current)
        defer { putBack(connection) }
        try work(connection)
    }

    @inline(never)
    nonisolated(nonsending) func withAwaited(
        _ work: nonisolated(nonsending) (MemoryDatabase) async throws -> Void
    ) async rethrows {
        let connection = free.withLock { $0.popLast() } ?? MemoryDatabase()
        connection.become(Identity.current)
        defer { putBack(connection) }
        try await work(connection)
    }

    private func putBack(_ connection: MemoryDatabase) {
        connection.become(nil)
        free.withLock { $0.append(connection) }
    }
}
