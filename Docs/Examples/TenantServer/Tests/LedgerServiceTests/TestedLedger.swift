import Configuration
import Foundation
import GRPCCore
import GRPCIdentity
import GRPCInProcessTransport
import JobQueue
import LedgerProtocol
import LedgerService
import Logging
import MultiIdentity
import MultiIdentityCarriers
import SignedIdentity

/// A ledger over a database of its own.
struct TestedLedger {
    static let key = Data((0..<32).map { UInt8($0) }).base64EncodedString()
    static let jobKey = Data((0..<32).map { UInt8($0 + 100) }).base64EncodedString()

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    var database: String { folder.appending(path: "ledger.sqlite").path() }

    func environment(port: Int = 0) -> [String: String] {
        [
            "LEDGER_DATABASE": database, "LEDGER_PORT": "\(port)", "LEDGER_CLAIM_KEYS": "one:\(Self.key)",
            "LEDGER_JOB_KEYS": "jobs:\(Self.jobKey)", "LEDGER_JOB_LEASE_MILLISECONDS": "700",
            "LEDGER_SYNCHRONOUS": "normal",
        ]
    }

    static func signing() throws -> IdentitySigning {
        try .hmac(issuer: "web", audience: "ledger", keys: KeyRing(parsing: "one:\(key)"))
    }

    func configuration(_ changes: [String: String] = [:]) throws -> LedgerConfiguration {
        let environment = environment().merging(changes) { $1 }
        return try LedgerConfiguration(
            ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
        )
    }

    /// Serves within this process, workers included, while `body` runs.
    func serve<Value: Sendable>(
        handover: LedgerServer.Handover = .carried,
        _ body: @Sendable (Ledger_V1_Ledger.Client<InProcessTransport.Client>) async throws -> Value
    ) async throws -> Value {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let ledger = try LedgerServer(configuration(), handover: handover, logger: logger)
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

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension Ledger_V1_AppendRequest {
    init(_ id: String, _ text: String) {
        self.init()
        requestID = id
        self.text = text
    }
}

extension Ledger_V1_Ledger.Client {
    func append(_ id: String, _ text: String) async throws -> Ledger_V1_Entry {
        try await append(Ledger_V1_AppendRequest(id, text))
    }

    func entries() async throws -> [Ledger_V1_Entry] {
        try await list(Ledger_V1_ListRequest()) { response in
            var entries: [Ledger_V1_Entry] = []
            for try await entry in response.messages { entries.append(entry) }
            return entries
        }
    }

    func madeReceipts() async throws -> [Ledger_V1_Receipt] {
        try await receipts(Ledger_V1_ListRequest()) { response in
            var receipts: [Ledger_V1_Receipt] = []
            for try await receipt in response.messages { receipts.append(receipt) }
            return receipts
        }
    }

    /// Waits until an owner has as many receipts.
    func receipts(atLeast number: Int) async throws -> [Ledger_V1_Receipt] {
        while true {
            let receipts = try await madeReceipts()
            if receipts.count >= number { return receipts }
            try await Task.sleep(for: .milliseconds(150))
        }
    }
}
