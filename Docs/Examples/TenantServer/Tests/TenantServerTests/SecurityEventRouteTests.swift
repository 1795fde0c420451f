import Configuration
import Foundation
import Hummingbird
import HummingbirdTesting
import JWTKit
import Logging
import MultiIdentity
import MultiIdentityManagement
import NIOCore
import Testing

@testable import TenantServer

@Suite("An event of the identity provider") final class SecurityEventRouteTests: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "events-\(UUID())").path()
    private let (ada, bob) = ("ada-\(UUID())@contoso.com", "bob-\(UUID())@contoso.com")

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func settings(_ issuer: EventIssuer, port: Int) async throws -> ServerSettings {
        let keys = "\(folder)/keys.json"
        try Data(issuer.keySet.utf8).write(to: URL(filePath: keys))
        let environment = [
            "TENANT_JWT_SECRET": "a secret of more than thirty-two bytes", "TENANT_DATA_FOLDER": "\(folder)/data",
            "TENANT_MASTER_KEY": Data(repeating: 7, count: 32).base64EncodedString(), "TENANT_HTTP_PORT": "0",
            "TENANT_ENROLLMENT_URL": "http://127.0.0.1:\(port)", "TENANT_ENROLLMENT_TOKEN": "service-token",
            "TENANT_ENROLLMENT_EVENTS_ISSUER": EventIssuer.name,
            "TENANT_ENROLLMENT_EVENTS_AUDIENCE": EventIssuer.audience,
            "TENANT_ENROLLMENT_EVENTS_KEYS": keys,
        ]
        return try await ServerSettings(
            reader: ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
        )
    }

    private func token(_ issuer: EventIssuer, _ event: String, of name: String, forged: Bool = false) async throws
        -> String
    {
        let claims = """
            {"jti": "\(UUID())", "iat": \(Int(Date().timeIntervalSince1970)), "events": {"\(event)": {}},
             "sub_id": {"format": "email", "email": "\(name)"}}
            """
        return try await issuer.token(claims, signedBy: forged ? .init() : nil)
    }

    @Test("lets nobody work any more who was signed out or is gone, from its answer on, and touches no one else")
    func letsNobodyWork() async throws {
        let (issuer, enrollment) = (try await EventIssuer(), FakeEnrollment())
        try await enrollment.application.test(.live) { service in
            let settings = try await self.settings(issuer, port: #require(service.port))
            let server = try TenantServer.application(
                settings,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            try await server.test(.live) { client in
                for (user, event, status) in [
                    (self.ada, EventIssuer.revoked, HTTPResponse.Status.forbidden),
                    (self.bob, EventIssuer.disabled, .gone),
                ] {
                    func get() async throws -> HTTPResponse.Status {
                        let token = try await settings.authority.token(for: user, scope: nil, lifetime: .seconds(60))
                        return try await client.executeRequest(
                            uri: "/account",
                            method: .get,
                            headers: [.authorization: "Bearer \(token)"],
                            body: nil
                        ).status
                    }
                    func push(_ token: String) async throws -> TestResponse {
                        try await client.executeRequest(
                            uri: "/security-events",
                            method: .post,
                            headers: [.contentType: "application/secevent+jwt"],
                            body: ByteBuffer(string: token)
                        )
                    }
                    #expect(try await get() == .ok)
                    let forged = try await push(self.token(issuer, event, of: user, forged: true))
                    #expect(forged.status == .badRequest && String(buffer: forged.body).contains("invalid_key"))
                    #expect(!String(buffer: forged.body).contains(user))
                    #expect(try await push(self.token(issuer, event, of: "nobody here")).status == .accepted)
                    #expect(try await get() == .ok)
                    let token = try await self.token(issuer, event, of: user)
                    #expect(try await push(token).status == .accepted)
                    let after = try await get()
                    #expect(after == .forbidden || after == status, "\(event)")
                    #expect(try await push(token).status == .accepted, "sent again, as providers do")
                    #expect(try IdentityRevocation.isRevoked(Identity(user)))
                }
            }
        }
    }
}
