import Foundation
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import Testing

@testable import TenantServer

@Suite("Files of tenants") struct FileTests {
    private func put(
        _ text: String,
        as user: String,
        at path: String,
        to client: any TestClientProtocol,
        of server: TestServer
    )
        async throws -> TestResponse
    {
        try await client.executeRequest(
            uri: path,
            method: .put,
            headers: server.headers(for: user),
            body: ByteBuffer(string: text)
        )
    }

    private func get(as user: String, at path: String, from client: any TestClientProtocol, of server: TestServer)
        async throws
        -> TestResponse
    {
        try await client.executeRequest(uri: path, method: .get, headers: server.headers(for: user), body: nil)
    }

    @Test("are there for their tenant, however the name is spelled, and for nobody else") func areTheirTenants()
        async throws
    {
        let server = try await TestServer()
        try await server.application.test(.router) { client in
            let stored = try await put(
                "ada's letter",
                as: "ada@contoso.com",
                at: "/files/letter",
                to: client,
                of: server
            )
            #expect(stored.status == .created)
            let own = try await get(as: "Ada@Contoso.com", at: "/files/letter", from: client, of: server)
            #expect(String(buffer: own.body) == "ada's letter")
            let others = try await get(as: "grace@contoso.com", at: "/files/letter", from: client, of: server)
            #expect(others.status == .notFound)
            #expect(try others.refusalCode() == "no_file")
        }
    }

    @Test("are read as their tenant while they go out, when the middleware has returned") func areReadAsTheirTenant()
        async throws
    {
        let server = try await TestServer()
        try await server.application.test(.router) { client in
            _ = try await put("ada's letter", as: "ada@contoso.com", at: "/files/letter", to: client, of: server)
            _ = try await get(as: "ada@contoso.com", at: "/files/letter", from: client, of: server)
        }
        let sent = server.log.entries.filter { $0.message == "file sent" }
        #expect(sent.map { $0.metadata["identity"] } == [.string("ada@contoso.com")])
    }

    @Test(
        "have names that stay in their folder",
        arguments: [
            "..", ".hidden", "a%2F..%2Fb", "..%2F..%2Fsecret", "a%00b", String(repeating: "a", count: 101), "ä",
        ]
    )
    func haveNamesThatStay(name: String) async throws {
        let server = try await TestServer()
        try await server.application.test(.router) { client in
            let response = try await put("text", as: "ada", at: "/files/\(name)", to: client, of: server)
            #expect(response.status == .badRequest)
            #expect(try response.refusalCode() == "bad_file_name")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder + "/files").isEmpty)
    }

    @Test(
        "lie in a folder that no other name gets",
        arguments: zip(
            ["ada@contoso.com", "../grace", "..", "a/b", "a%2Fb", "ada grace", "ünal"],
            ["ada@contoso.com", "%2E.%2Fgrace", "%2E.", "a%2Fb", "a%252%46b", "ada%20grace", "%C3%BCnal"]
        )
    )
    func lieInAFolderOfTheirOwn(user: String, folder: String) throws {
        #expect(try TenantFolder(in: "/data", of: user).path == "/data/" + folder)
    }

    @Test("are refused where they are too large, and leave nothing behind") func areRefusedWhereTooLarge() async throws
    {
        let server = try await TestServer()
        try await server.application.test(.router) { client in
            let large = String(repeating: "a", count: 17 * 1_024 * 1_024)
            let response = try await put(large, as: "ada", at: "/files/large", to: client, of: server)
            #expect(response.status == .contentTooLarge)
            #expect(try response.refusalCode() == "too_large")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder + "/files/ada").isEmpty)
    }
}
