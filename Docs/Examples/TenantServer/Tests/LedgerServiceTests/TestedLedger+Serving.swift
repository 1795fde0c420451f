import Configuration
import GRDB
import GRPCCore
import GRPCIdentity
import GRPCInProcessTransport
import JobQueue
import LedgerProtocol
import LedgerService
import Logging
import PostgreSQLIdentity

extension TestedLedger {
    func configuration(_ changes: [String: String] = [:]) throws -> LedgerConfiguration {
        let environment = environment().merging(changes) { $1 }
        return try LedgerConfiguration(
            ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
        )
    }

    /// Serves within this process, workers included, while `body` runs.
    func serve<Value: Sendable>(
        _ changes: [String: String] = [:],
        _ body: @Sendable (Ledger_V1_Ledger.Client<InProcessTransport.Client>) async throws -> Value
    ) async throws -> Value {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let ledger = try LedgerServer(configuration(changes), logger: logger)
        let transport = InProcessTransport()
        let interceptor = IdentityClientInterceptor(signing: try Self.signing())
        let workers = Task { try await ledger.workers.run() }
        let result = await Result {
            try await withGRPCServer(
                transport: transport.server,
                services: ledger.services,
                interceptors: ledger.interceptors
            ) { _ in
                try await withGRPCClient(transport: transport.client, interceptors: [interceptor]) { client in
                    try await body(Ledger_V1_Ledger.Client(wrapping: client))
                }
            }
        }
        workers.cancel()
        try await workers.value
        return try result.get()
    }
}

extension TestedLedger {
    /// Changes rows behind the service's back.
    func tamper(_ sql: String) async throws {
        switch engine {
        case .sqlite:
            // The service still has a receipt to write, and its turn may come first.
            var waiting = GRDB.Configuration()
            waiting.busyMode = .timeout(10)
            try await DatabaseQueue(path: database, configuration: waiting).write { db in try db.execute(sql: sql) }
        case .postgreSQL:
            let connection = try await connection()
            defer { connection.close() }
            try await connection.query(sql)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
