import GRDB
import GRDBIdentity
import MultiIdentity
import MultiIdentityLease
import MultiIdentityTesting
import PoolFindings
import Synchronization
import Testing

@Suite("The promises of a pool, of GRDB") struct GRDBPromiseTests {
    private struct Failed: Error {}

    /// An order for the next time.
    private final class Flag: Sendable {
        private let isSet = Mutex(false)
        func set() { isSet.withLock { $0 = true } }
        func take() -> Bool {
            isSet.withLock { isSet in
                defer { isSet = false }
                return isSet
            }
        }
    }

    private static func number(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT connection_number()") ?? 0
    }

    /// The identity that SQL learns from the scope.
    private static func whoBySQL(_ db: Database) throws -> Identity? {
        try String.fetchOne(db, sql: "SELECT current_identity()").map { try Identity($0) }
    }

    /// The identity that a temporary table of the connection names.
    private static func whoByTable(_ db: Database) throws -> Identity? {
        guard try db.tableExists("me") else { return nil }
        return try String.fetchOne(db, sql: "SELECT name FROM me").map { try Identity($0) }
    }

    private static func become(_ identity: Identity, _ db: Database) throws {
        try db.execute(sql: "CREATE TEMPORARY TABLE IF NOT EXISTS me(name TEXT); DELETE FROM me")
        if !identity.isNobody { try db.execute(sql: "INSERT INTO me VALUES (?)", arguments: [identity.name]) }
    }

    /// A pool with one connection that writes, checked out for the length of a write.
    private static func conformance(
        _ name: String,
        _ pool: DatabasePool,
        enter: @escaping @Sendable (Database) throws -> Void = { _ in },
        leave: @escaping @Sendable (Database) throws -> Void = { _ in },
        who: @escaping @Sendable (Database) throws -> Identity?
    ) -> PoolConformance {
        PoolConformance(name) { work in
            let task = Mutex<Task<Void, any Error>?>(nil)
            let (errands, identity) = (Errands(), Identity.current)
            try await withTaskCancellationHandler {
                try await pool.write { db in
                    try enter(db)
                    let number = try number(db)
                    let working = Task {
                        defer { errands.end() }
                        try await work(
                            .init(id: number) {
                                try await errands.ask { db in try withIdentity(identity) { try who(db) } }
                            }
                        )
                    }
                    task.withLock { $0 = working }
                    if Task.isCancelled { working.cancel() }
                    errands.serve(db)
                    try leave(db)
                }
                try await task.withLock { $0 }?.value
            } onCancel: {
                task.withLock { $0 }?.cancel()
            }
        }
    }

    /// GRDB's pool where SQL asks for the work's identity: nothing is put on a connection.
    private func function(_ files: TemporaryPool) throws -> PoolConformance {
        let pool = try files.pool()
        return Self.conformance("current_identity()", pool, who: Self.whoBySQL)
            .waitedFor()
            .rollingBack {
                try? await pool.write { db in
                    try db.execute(sql: "CREATE TABLE setting(name TEXT)")
                    throw Failed()
                }
            }
    }

    /// GRDB's pool with a temporary table, which the program fills where there is somebody, and empties where it can.
    private func table(_ files: TemporaryPool) throws -> PoolConformance {
        let pool = try files.pool()
        let dies = Flag()
        let enter: @Sendable (Database) throws -> Void = { db in
            if let identity = Identity.current, !identity.isNobody { try Self.become(identity, db) }
            if dies.take() { throw Failed() }
        }
        return Self.conformance("a temporary table", pool, enter: enter, who: Self.whoByTable)
            .waitedFor()
            .failingReset {}
            .dyingWhileBinding { dies.set() }
            .rollingBack {
                let identity = Identity.current ?? .nobody
                try? await pool.write { db in
                    try Self.become(identity, db)
                    throw Failed()
                }
            }
    }

    /// Connections of GRDB in a pool of this package, with that table bound, cleared and asked for by a lease.
    private func leases(_ files: TemporaryPool) -> PoolConformance {
        let (failsReset, dies) = (Flag(), Flag())
        let pool = LeasePool<DatabaseQueue>(
            1,
            open: { () throws -> DatabaseQueue in try files.queue() },
            close: { try? $0.close() }
        )
        let binding = LeaseBinding<DatabaseQueue>(
            bind: { queue, identity in
                try queue.write { db in try Self.become(identity, db) }
                if dies.take() { throw Failed() }
            },
            clear: { queue in
                if failsReset.take() { throw Failed() }
                try queue.write { db in try db.execute(sql: "DROP TABLE IF EXISTS temp.me") }
            },
            verify: { queue in try queue.read(Self.whoByTable) },
            transactions: LeaseTransactions { queue, step in
                try queue.inDatabase { db in
                    switch step {
                    case .begin: try db.beginTransaction()
                    case .commit: try db.commit()
                    case .rollback: try db.rollback()
                    default: throw Failed()
                    }
                }
            }
        )
        let leases = IdentityLease(of: pool, binding: binding)
        return PoolConformance("GRDB's queues, leased") { work in
            try await leases.withLease { lease in
                let queue = try lease.use { $0 }
                let number = try await queue.read(Self.number)
                try await work(.init(id: number) { try await queue.read(Self.whoByTable) })
            }
        }
        .waitedFor()
        .failingReset { failsReset.set() }
        .dyingWhileBinding { dies.set() }
        .rollingBack {
            try await leases.withLease { lease in
                try? await lease.withTransaction {
                    try lease.use { queue in try queue.inDatabase { db in try Self.become(.nobody, db) } }
                    throw Failed()
                }
            }
        }
    }

    @Test("are what the table says, where SQL asks for the scope's identity", arguments: PoolPromise.allCases)
    func byFunction(_ promise: PoolPromise) async throws {
        let files = try TemporaryPool()
        let found = try await PoolFinding.found(promise, on: function(files))
        #expect(found == PoolFinding.grdbFunction.expected(promise))
    }

    @Test("are what the table says, where a temporary table names it", arguments: PoolPromise.allCases)
    func byTable(_ promise: PoolPromise) async throws {
        let files = try TemporaryPool()
        let found = try await PoolFinding.found(promise, on: table(files))
        #expect(found == PoolFinding.grdbTable.expected(promise))
    }

    @Test("are kept by leases of single connections, with that table", arguments: PoolPromise.allCases)
    func byLeases(_ promise: PoolPromise) async throws {
        let files = try TemporaryPool()
        let found = try await PoolFinding.found(promise, on: leases(files))
        #expect(found == PoolFinding.grdbLeases.expected(promise))
    }
}
