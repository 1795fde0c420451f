import Configuration
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityProtection
import NIOCore
import SCIMUsers
import Testing

@testable import TenantServer

@Suite("A server with a directory") final class DirectoryUsersTests: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "directory-\(UUID())").path()
    private let (ada, bob, eve) = (
        "ada-\(UUID())@contoso.com", "bob-\(UUID())@contoso.com", "eve-\(UUID())@contoso.com"
    )
    private let scimToken = "a token of the directory that sends users"

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func settings(_ changes: [String: String?] = [:]) async throws -> ServerSettings {
        var environment = [
            "TENANT_JWT_SECRET": "a secret of more than thirty-two bytes", "TENANT_DATA_FOLDER": folder,
            "TENANT_MASTER_KEY": Data(repeating: 7, count: 32).base64EncodedString(), "TENANT_HTTP_PORT": "0",
            "TENANT_ENROLLMENT_URL": "http://127.0.0.1:1", "TENANT_ENROLLMENT_TOKEN": "service-token",
            "TENANT_SCIM_TOKEN": scimToken,
        ]
        for (name, value) in changes { environment[name] = value }
        return try await ServerSettings(
            reader: ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
        )
    }

    private func server(_ settings: ServerSettings) throws -> some ApplicationProtocol {
        try TenantServer.application(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        as user: String,
        _ settings: ServerSettings,
        _ client: any TestClientProtocol
    ) async throws -> TestResponse {
        let token = try await settings.authority.token(for: user, scope: nil, lifetime: .seconds(60))
        return try await client.executeRequest(
            uri: path,
            method: method,
            headers: [.authorization: "Bearer \(token)"],
            body: method == .put ? ByteBuffer(string: "theirs") : nil
        )
    }

    /// A request of the directory, and the id of the user in its answer.
    private func scim(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        _ client: any TestClientProtocol
    ) async throws -> (status: HTTPResponse.Status, id: String?) {
        let answer = try await client.executeRequest(
            uri: "/scim/v2/\(path)",
            method: method,
            headers: [.authorization: "Bearer \(scimToken)"],
            body: body.map { ByteBuffer(string: $0) }
        )
        struct User: Decodable { let id: String? }
        return (answer.status, try? JSONDecoder().decode(User.self, from: Data(answer.body.readableBytesView)).id)
    }

    private func user(_ name: String) -> String {
        #"{"schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "\#(name)"}"#
    }

    private var textFiles: Int {
        let files = FileManager.default.enumerator(atPath: "\(folder)/files")?.compactMap { $0 as? String } ?? []
        return files.count { $0.hasSuffix(".txt") }
    }

    @Test("refuses whom it deletes from the next request on, wipes their files, and touches nobody else's")
    func refusesWhomItDeletes() async throws {
        let settings = try await settings()
        try await server(settings).test(.live) { client in
            var ids: [String] = []
            for name in [self.ada, self.bob] {
                let created = try await self.scim(.post, "Users", self.user(name), client)
                #expect(created.status == .created)
                ids.append(try #require(created.id))
                let put = try await self.send(.put, "/files/notes.txt", as: name, settings, client)
                #expect(put.status == .created)
            }
            #expect(self.textFiles == 2)
            #expect(try await self.scim(.delete, "Users/\(ids[0])", nil, client).status == .noContent)
            let after = try await self.send(.get, "/account", as: self.ada, settings, client)
            #expect(after.status == .forbidden || after.status == .gone)
            // The wipe goes on after the answer: asked about until it is over.
            let token = try await settings.authority.token(for: "olga", scope: "operator", lifetime: .seconds(60))
            let name = try #require(self.ada.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            for _ in 0..<20_000 where self.textFiles == 2 {
                _ = try await client.executeRequest(
                    uri: "/tenants/\(name)/wipe",
                    method: .get,
                    headers: [.authorization: "Bearer \(token)"],
                    body: nil
                )
            }
            #expect(self.textFiles == 1)
            let notes = try await self.send(.get, "/files/notes.txt", as: self.bob, settings, client)
            #expect(String(buffer: notes.body) == "theirs")
            let off = #"{"Operations": [{"op": "Replace", "path": "active", "value": "False"}]}"#
            #expect(try await self.scim(.patch, "Users/\(ids[1])", off, client).status == .ok)
            #expect(try await self.send(.get, "/account", as: self.bob, settings, client).status != .ok)
        }
    }

    @Test("registers and serves whom it has as active, and refuses everybody else, after a restart too")
    func servesWhomItHas() async throws {
        let settings = try await settings()
        try await server(settings).test(.live) { client in
            let unknown = try await self.send(.get, "/account", as: self.eve, settings, client)
            #expect(try unknown.status == .forbidden && unknown.refusalCode() == "not_in_directory")
            let created = try await self.scim(.post, "Users", self.user(self.eve.uppercased()), client)
            #expect(created.status == .created)
            #expect(try await self.send(.get, "/account", as: self.eve, settings, client).status == .ok)
            let id = try #require(created.id)
            #expect(try await self.scim(.delete, "Users/\(id)", nil, client).status == .noContent)
        }
        // What is revoked in one process is not in the next: the directory says so there.
        IdentityRevocation.readmit(try Identity(eve))
        IdentityRevocation.readmit(try Identity(eve), after: .wiped)
        try await server(settings).test(.live) { client in
            let after = try await self.send(.get, "/account", as: self.eve, settings, client)
            #expect(after.status == .forbidden || after.status == .gone)
        }
    }

    @Test("does not begin where its token is weak, or nobody enrolls") func doesNotBegin() async throws {
        await #expect(throws: SettingsError.self) { try await self.settings(["TENANT_SCIM_TOKEN": "short"]) }
        let settings = try await settings(["TENANT_ENROLLMENT_URL": nil, "TENANT_ENROLLMENT_TOKEN": nil])
        #expect(throws: SettingsError.self) { try self.server(settings) }
    }

    @Test("registers nobody new where the directory cannot be asked") func registersNobody() async throws {
        let (file, identity) = ("\(folder)/users.sqlite", try Identity(ada))
        let directory = try UserDirectory(path: file)
        let users = UsersOfDirectory(directory: directory)
        let database = try DatabaseQueue(path: file)
        try await database.write { db in
            try db.execute(
                sql: "INSERT INTO users VALUES (1, 'a', ?, NULL, 1, '{}', 1, 0, 0)",
                arguments: [identity.caselessName]
            )
        }
        #expect(users.isWorkAccount(identity))
        try await database.write { db in try db.execute(sql: "DROP TABLE users") }
        #expect(!users.isWorkAccount(identity))
    }
}
