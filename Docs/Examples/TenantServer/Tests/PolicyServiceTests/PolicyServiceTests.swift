import AsyncHTTPClient
import AsyncHTTPTransport
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityManagementNetworking
import MultiIdentityPolicy
import NIOCore
import PolicyService
import Testing

@Suite("A server of policies") final class PolicyServiceTests: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "policies-\(UUID())").path()
    private let key = Curve25519.Signing.PrivateKey()
    private let text = #"{"version": 1, "identities": {"ada@contoso.com": {"log": true}}}"#

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func server() throws -> some ApplicationProtocol {
        try PolicyService(
            path: "\(folder)/policies.sqlite",
            signer: PolicySigner(key: key, keyID: "1"),
            tokens: .init(readers: ["reader-token": "east", "other-token": "west"], editor: "editor-token")
        )
        .application(port: 0, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    enum Way: CaseIterable, Sendable {
        case urlSession, asyncHTTPClient

        func transport(_ address: String, _ token: String) throws -> any PolicyTransport {
            let fields: @Sendable () -> [String: String] = { ["Authorization": "Bearer \(token)"] }
            switch self {
            case .urlSession: return URLSessionTransport(try #require(URL(string: address)), fields: fields)
            case .asyncHTTPClient: return AsyncHTTPTransport(address, client: .shared, fields: fields)
            }
        }
    }

    private func policies(
        _ client: any TestClientProtocol,
        _ way: Way,
        _ token: String = "reader-token"
    ) throws -> RemotePolicies {
        let port = try #require(client.port)
        var options = RemotePoliciesOptions()
        options.leastInterval = .zero
        return RemotePolicies(
            try way.transport("http://127.0.0.1:\(port)/policies", token),
            verifying: { [key = key.publicKey] in
                $0.algorithm == "EdDSA" && $0.keyID == "1" && key.isValidSignature($0.signature, for: $0.bytes)
            },
            store: try SQLiteAccountStore("\(folder)/\(UUID()).sqlite"),
            options: options,
            onEvent: { _ in }
        )
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ token: String,
        _ client: any TestClientProtocol,
        version: Int? = nil,
        body: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.authorization: "Bearer \(token)"]
        if let version { headers[.ifMatch] = "\"\(version)\"" }
        return try await client.executeRequest(
            uri: path,
            method: method,
            headers: headers,
            body: body.map { ByteBuffer(string: $0) }
        )
    }

    @Test(
        "gives a set to its readers when it is published, signed, and says who has which; after a restart too",
        arguments: Way.allCases
    )
    func givesASet(_ way: Way) async throws {
        let ada = try Identity("ada@contoso.com")
        try await server().test(.live) { [self] client in
            let policies = try policies(client, way)
            try await policies.refresh()
            #expect(policies.current.policy(of: ada) == nil)
            // One that has waited in vain takes nothing from the others, nor from itself when it asks again.
            let others = try self.policies(client, way, "other-token")
            try await others.refresh()
            try await others.refresh(waiting: .seconds(1))
            let again = ContinuousClock.now
            try await others.refresh(waiting: .seconds(1))
            #expect(ContinuousClock.now - again > .milliseconds(900), "it waits each time")
            // Asked before it is published, and answered then.
            async let poll: Void = policies.refresh(waiting: .seconds(60))
            while true {
                let state = try await send(.get, "/state", "editor-token", client)
                if String(buffer: state.body).contains("east") { break }
            }
            #expect(try await send(.put, "/policies", "editor-token", client, version: 1, body: text).status == .ok)
            try await poll
            #expect(policies.current.policy(of: ada)?.log == true)
            try await policies.refresh()
            let state = try await send(.get, "/state", "editor-token", client)
            #expect(String(buffer: state.body).contains(#""version":2"#))
        }
        try await server().test(.live) { [self] client in
            let policies = try policies(client, way, "other-token")
            try await policies.refresh()
            #expect(policies.current.policy(of: ada)?.log == true)
            let state = try await send(.get, "/state", "editor-token", client)
            #expect(String(buffer: state.body).contains("west"))
        }
    }

    @Test("takes a set from editors alone, in the place of the one that they saw, and none that cannot be read")
    func takesASetFromEditorsAlone() async throws {
        try await server().test(.live) { [self] client in
            for token in ["reader-token", "", "editor-toke"] {
                #expect(
                    try await send(.put, "/policies", token, client, version: 1, body: text).status == .unauthorized
                )
                #expect(try await send(.get, "/state", token, client).status == .unauthorized)
            }
            #expect(try await send(.get, "/policies", "editor-token", client).status == .unauthorized)
            let unread = try await send(
                .put,
                "/policies",
                "editor-token",
                client,
                version: 1,
                body: "{\n\"version\": 2}"
            )
            #expect(unread.status == .badRequest && String(buffer: unread.body).contains("Line 2"))
            #expect(
                try await send(.put, "/policies", "editor-token", client, body: text).status == .preconditionRequired
            )
            #expect(try await send(.put, "/policies", "editor-token", client, version: 1, body: text).status == .ok)
            let late = try await send(.put, "/policies", "editor-token", client, version: 1, body: text)
            #expect(late.status == .preconditionFailed, "another editor was faster")
            let page = try await client.executeRequest(uri: "/", method: .get, headers: [:], body: nil)
            #expect(page.status == .ok && String(buffer: page.body).contains("Who has which version"))
            #expect(!String(buffer: page.body).contains("ada"), "it holds nothing that anybody may not see")
        }
    }
}
