import DatabaseServers
import Foundation
import LedgerService
import MultiIdentityCarriers
import PostgreSQLIdentity
import SignedIdentity

/// A ledger over a database of its own.
struct TestedLedger {
    /// The database that has its rows.
    enum Engine: CaseIterable {
        case sqlite, postgreSQL
    }

    static let key = Data((0..<32).map { UInt8($0) }).base64EncodedString()
    static let jobKey = Data((0..<32).map { UInt8($0 + 100) }).base64EncodedString()
    /// One for all tests: to start it takes longer than they do.
    private static let servers = Result { try DatabaseServers(schema: LedgerServer.postgreSQLSchema) }

    let folder: URL
    let engine: Engine
    private let url: @Sendable (String) -> String

    init(on engine: Engine = .sqlite) throws {
        self.engine = engine
        folder = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        switch engine {
        case .sqlite:
            let path = folder.appending(path: "ledger.sqlite").path()
            url = { _ in path }
        case .postgreSQL:
            let servers = try Self.servers.get()
            let name = try servers.makeDatabase()
            url = { role in servers.url(role, through: .database, database: name) }
        }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    var database: String { url("app") }

    func environment(port: Int = 0) -> [String: String] {
        let workers = engine == .postgreSQL ? ["LEDGER_WORKERS_DATABASE": url("job_worker")] : [:]
        return workers.merging([
            "LEDGER_DATABASE": database, "LEDGER_PORT": "\(port)", "LEDGER_CLAIM_KEYS": "one:\(Self.key)",
            "LEDGER_JOB_KEYS": "jobs:\(Self.jobKey)", "LEDGER_JOB_LEASE_MILLISECONDS": "700",
            "LEDGER_SYNCHRONOUS": "normal",
        ]) { $1 }
    }

    static func signing() throws -> IdentitySigning {
        try .hmac(issuer: "web", audience: "ledger", keys: KeyRing(parsing: "one:\(key)"))
    }

    func check() async throws -> LedgerCheck {
        switch engine {
        case .sqlite: try LedgerCheck(database: database)
        case .postgreSQL: try await LedgerCheck(postgreSQL: url("owner"))
        }
    }

    /// A connection to PostgreSQL that is no tenant's.
    func connection(as role: String = "owner") async throws -> PostgreSQLConnection {
        try await PostgreSQLConnection.open(url(role))
    }
}
