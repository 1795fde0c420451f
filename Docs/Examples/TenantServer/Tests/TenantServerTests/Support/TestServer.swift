import Foundation
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import LoggingIdentity

@testable import TenantServer

/// A server with a folder and a log of its own.
final class TestServer: Sendable {
    let authority: TokenAuthority
    let folder: String
    let log: InMemoryLogHandler
    let application: Application<RouterResponder<TenantContext>>

    init(keeping: IdentityKeeping = .carried) async throws {
        authority = try await Self.authority()
        folder = FileManager.default.temporaryDirectory.appending(path: "tenant-server-\(UUID())").path(
            percentEncoded: false
        )
        var log = InMemoryLogHandler()
        log.metadataProvider = keeping == .carried ? .identity : nil
        self.log = log
        let workshop = try Workshop(keeping: keeping, dataFolder: folder)
        application = TenantServer.application(
            ServerSettings(authority: authority, dataFolder: folder, port: 0),
            keeping: keeping,
            logger: Logger(label: "test") { [log] _ in log },
            workshop: workshop,
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
    /// All that this answer says of whose work it was; an answer of events has several.
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

/// What a client makes of an ``Answer``.
struct SeenAnswer: Decodable {
    let marker: String
    let seen: [Sighting]
}
