import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import LedgerCalls
import Logging
import LoggingIdentity
import MultiIdentity
import MultiIdentityProtection
import SignedIdentity

@testable import tenant_server

/// A server and the ledger that it calls, each with its own port, folder and keys.
struct TestServer: Sendable {
    /// A client of the server.
    let client: any TestClientProtocol
    let ledger: Ledger
    let ledgerPort: Int
    let folder: String
    let log: InMemoryLogHandler
    private let authority: TokenAuthority

    static func keys() throws -> KeyRing {
        try KeyRing(parsing: "one:" + Data((0..<32).map { UInt8($0) }).base64EncodedString())
    }

    static func newFolder() -> String {
        FileManager.default.temporaryDirectory.appending(path: "tenant-server-\(UUID())").path
    }

    /// Runs both while `body` runs, in a folder that is then removed unless it is kept.
    static func run(
        in folder: String = newFolder(),
        isKept: Bool = false,
        _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { if !isKept { try? FileManager.default.removeItem(atPath: folder) } }
        var log = InMemoryLogHandler()
        log.metadataProvider = .identity
        let (ledger, logger) = (Ledger(), Logger(label: "test") { [log] _ in log })
        let transport = HTTP2ServerTransport.Posix(
            address: .ipv4(host: "127.0.0.1", port: 0),
            transportSecurity: .plaintext
        )
        let served = try ledger.server(on: transport, keys: keys())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await served.serve() }
            let port = try await transport.listeningAddress.ipv4?.port ?? 0
            let authority = await TokenAuthority(secret: "a secret of more than thirty-two bytes")
            let server = TenantServer(
                folder: folder,
                authority: authority,
                masterKey: try MasterKey((0..<32).map { UInt8($0) }),
                ledger: try LedgerClient(host: "127.0.0.1", port: port, keys: keys()),
                logger: logger
            )
            try await server.application().test(.ahc(.http)) { [log] client in
                try await body(
                    TestServer(
                        client: client,
                        ledger: ledger,
                        ledgerPort: port,
                        folder: folder,
                        log: log,
                        authority: authority
                    )
                )
            }
            served.beginGracefulShutdown()
            try await group.waitForAll()
        }
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        as user: String
    ) async throws -> TestResponse {
        try await client.execute(
            uri: path,
            method: method,
            headers: [.authorization: "Bearer \(try await authority.token(for: user))"],
            body: body.map { ByteBuffer(string: $0) }
        )
    }

    /// Waits until so many jobs of a user have made their entries.
    func untilDone(_ count: Int, of user: String) async throws {
        let owner = try Identity(user)
        while ledger.entries(of: owner).count < count { await Task.yield() }
    }

    /// Returns the events of a streamed answer.
    static func events(_ response: TestResponse) throws -> [JobEvent] {
        try String(buffer: response.body).split(separator: "\n").filter { $0.hasPrefix("data: ") }
            .map { try JSONDecoder().decode(JobEvent.self, from: Data($0.dropFirst("data: ".count).utf8)) }
    }

    /// Returns the files below the folder that contain a text, or have it in their paths.
    func files(with text: String) throws -> [String] {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return all.filter { path in
            path.contains(text)
                || (try? Data(contentsOf: URL(filePath: "\(folder)/\(path)")))?.firstRange(of: Data(text.utf8)) != nil
        }
    }
}
