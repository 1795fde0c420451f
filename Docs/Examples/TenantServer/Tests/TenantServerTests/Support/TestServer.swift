import Foundation
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import LoggingIdentity
import MultiIdentityProtection

@testable import TenantServer

/// A server with a folder and a log of its own.
final class TestServer: Sendable {
    let authority: TokenAuthority
    let folder: String
    let log: InMemoryLogHandler
    let application: Application<RouterResponder<TenantContext>>

    /// The server's means to keep tenants' data, where it has a master key.
    let tenants: TenantKeeping?
    let erasure: Erasure?
    let workshop: Workshop?

    init(keeping: IdentityKeeping = .carried, masterKey: MasterKey? = nil, ledger: (any LedgerCalling)? = nil)
        async throws
    {
        authority = try await Self.authority()
        folder = FileManager.default.temporaryDirectory.appending(path: "tenant-server-\(UUID())").path(
            percentEncoded: false
        )
        var handler = InMemoryLogHandler()
        handler.metadataProvider = keeping == .carried ? .identity : nil
        let log = handler
        self.log = log
        let folder = folder
        tenants = try masterKey.map { try TenantKeeping(dataFolder: folder, masterKey: $0) }
        let workshop = try Workshop(keeping: keeping, dataFolder: folder, ledger: ledger, storage: tenants?.files)
        self.workshop = workshop
        erasure = try tenants.map {
            try Erasure(dataFolder: folder, tenants: $0, workshop: workshop, logger: Logger(label: "test") { _ in log })
        }
        var settings = ServerSettings(authority: authority, dataFolder: folder, port: 0)
        settings.masterKey = masterKey
        application = TenantServer.application(
            settings,
            keeping: keeping,
            logger: Logger(label: "test") { [log] _ in log },
            workshop: workshop,
            erasure: erasure,
            services: [workshop.background]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    static func authority(
        secret: String = "a secret of more than thirty-two bytes",
        issuer: String = "https://login.example",
        audience: String = "tenant-server"
    ) async throws -> TokenAuthority {
        try await TokenAuthority(secret: secret, issuer: issuer, audience: audience)
    }

    func token(for user: String, scope: String? = nil) async throws -> String {
        try await authority.token(for: user, scope: scope, lifetime: .seconds(60))
    }

    /// The headers of a user's request.
    func headers(for user: String, marker: String? = nil, scope: String? = nil) async throws -> HTTPFields {
        var headers: HTTPFields = [.authorization: "Bearer \(try await token(for: user, scope: scope))"]
        if let marker, let name = Marker.header { headers[name] = marker }
        return headers
    }
}

extension TestResponse {
    /// All that this answer says of the users that were seen; an answer of events has several.
    func answers() throws -> [SeenAnswer] {
        let text = String(buffer: body)
        let parts = text.hasPrefix("data: ") ? text.split(separator: "\n\n").map { $0.dropFirst(6) } : [text[...]]
        return try parts.map { try JSONDecoder().decode(SeenAnswer.self, from: Data($0.utf8)) }
    }

    /// The code of a refusal.
    func refusalCode() throws -> String? {
        try JSONDecoder().decode([String: [String: String]].self, from: Data(String(buffer: body).utf8))["error"]?[
            "code"
        ]
    }
}

/// A client's view of an ``Answer``.
struct SeenAnswer: Decodable {
    let marker: String
    let seen: [Sighting]
}
