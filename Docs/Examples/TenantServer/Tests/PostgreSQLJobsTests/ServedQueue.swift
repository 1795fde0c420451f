import DatabaseServers
import Foundation
import JobQueue
import MultiIdentity
import PostgreSQLIdentity
import PostgreSQLJobs
import SignedIdentity
import Synchronization

/// A queue in a database of its own, with a clock and accounts that the test changes.
final class ServedQueue: Sendable {
    /// One for all tests: to start it takes longer than they do.
    private static let servers = Result { try DatabaseServers(schema: JobQueue.postgreSQLSchema) }

    /// The URL as some role.
    private let url: @Sendable (String) -> String
    /// As tenants use it.
    let database: PostgreSQLDatabase
    let store: PostgreSQLJobStore
    let queue: JobQueue
    private let changing: Changing

    final class Changing: Sendable {
        let now = Mutex<Int64>(1_800_000_000_000)
        let enrolment = Mutex("first")
    }

    init() throws {
        let servers = try Self.servers.get()
        let name = try servers.makeDatabase()
        let url = { @Sendable role in servers.url(role, through: .database, database: name) }
        self.url = url
        database = try PostgreSQLDatabase(url("app"))
        store = try PostgreSQLJobStore(url("job_worker"))
        let changing = Changing()
        self.changing = changing
        queue = JobQueue(
            keys: try KeyRing(parsing: "one:\(Data((0..<32).map { UInt8($0) }).base64EncodedString())"),
            ownerless: .taken,
            enrolment: { _ in changing.enrolment.withLock { $0 } },
            now: { changing.now.withLock { $0 } }
        )
    }

    func pass(milliseconds: Int64) { changing.now.withLock { $0 += milliseconds } }

    func makeAccountsAnew() { changing.enrolment.withLock { $0 = "second" } }

    @discardableResult
    func enqueue(_ key: String, _ payload: [UInt8] = [], as identity: Identity?) async throws -> String {
        try await withIdentity(identity) {
            try await database.withTransaction { transaction in
                try await queue.enqueue(NewJob("look", idempotencyKey: key, payload: payload), in: transaction)
            }
        }
    }

    func claim() async throws -> JobQueue.Claim { try await store.claim(queue, leaseFor: .seconds(30)) }

    /// The next job that can be run.
    func run() async throws -> JobRun? {
        guard case .run(let run) = try await claim() else { return nil }
        return run
    }

    /// A connection that is no tenant's and no worker's.
    func connection(as role: String = "owner") async throws -> PostgreSQLConnection {
        try await PostgreSQLConnection.open(url(role))
    }

    func tamper(_ sql: String) async throws {
        let connection = try await connection()
        defer { connection.close() }
        try await connection.query(sql)
    }

    var accounts: JobQueue.Accounts {
        get async throws {
            let connection = try await connection()
            defer { connection.close() }
            return try await JobQueue.accounts(in: connection)
        }
    }
}
