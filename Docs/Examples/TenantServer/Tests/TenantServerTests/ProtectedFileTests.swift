import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityProtection
import Testing

@testable import TenantServer

@Suite("Files of tenants, where the server has a master key") struct ProtectedFileTests {
    private static let letter = String(repeating: "ada's letter\n", count: 20_000)

    private let server: TestServer

    init() async throws { server = try await TestServer(masterKey: MasterKey((0..<32).map { UInt8($0) })) }

    private func request(
        _ method: HTTPRequest.Method,
        _ text: String? = nil,
        as user: String,
        from client: any TestClientProtocol
    ) async throws -> TestResponse {
        try await client.executeRequest(
            uri: "/files/letter",
            method: method,
            headers: server.headers(for: user),
            body: text.map { ByteBuffer(string: $0) }
        )
    }

    private func path(_ name: String = "letter") -> String { server.folder + "/files/ada@contoso.com/" + name }

    @Test("come back to their tenant alone, and lie encrypted, with their owner") func roundTrip() async throws {
        try await server.application.test(.router) { client in
            #expect(try await request(.put, Self.letter, as: "ada@contoso.com", from: client).status == .created)
            let own = try await request(.get, as: "ADA@contoso.com", from: client)
            #expect(own.status == .ok)
            #expect(String(buffer: own.body) == Self.letter)
            let others = try await request(.get, as: "grace@contoso.com", from: client)
            #expect(try others.refusalCode() == "no_file")
        }
        let bytes = try Data(contentsOf: URL(filePath: path()))
        #expect(bytes.firstRange(of: Data("letter".utf8)) == nil)
        #expect(bytes.count > Self.letter.utf8.count)
        let files = try #require(server.tenants).files.files
        #expect(try files.owner(of: "ada@contoso.com/letter") == .identity(Identity("ada@contoso.com")))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: server.folder + "/files/ada@contoso.com") == ["letter"]
        )
    }

    @Test("are replaced as a whole, and may be empty") func replaced() async throws {
        try await server.application.test(.router) { client in
            for text in [Self.letter, "", "short", Self.letter] {
                #expect(try await request(.put, text, as: "ada@contoso.com", from: client).status == .created)
                let back = try await request(.get, as: "ada@contoso.com", from: client)
                #expect(String(buffer: back.body) == text)
            }
        }
    }

    @Test("are an error, and no half of a file, where somebody has changed or exchanged them") func tampered()
        async throws
    {
        try await server.application.test(.router) { client in
            _ = try await request(.put, Self.letter, as: "ada@contoso.com", from: client)
            _ = try await request(.put, Self.letter, as: "grace@contoso.com", from: client)
            let good = try Data(contentsOf: URL(filePath: path()))
            let graces = try Data(contentsOf: URL(filePath: server.folder + "/files/grace@contoso.com/letter"))
            var altered = good
            altered[1_000] ^= 1
            for bytes in [altered, graces, Data("plain text".utf8), Data(), good.prefix(300)] {
                try bytes.write(to: URL(filePath: path()))
                let response = try await request(.get, as: "ada@contoso.com", from: client)
                #expect(response.status == .internalServerError)
                #expect(try response.refusalCode() == "internal")
            }
            try good.write(to: URL(filePath: path()))
            #expect(try await request(.get, as: "ada@contoso.com", from: client).status == .ok)
        }
    }

    @Test("are refused where they are too large, and leave nothing behind") func tooLarge() async throws {
        try await server.application.test(.router) { client in
            let large = String(repeating: "a", count: 17 * 1_024 * 1_024)
            let response = try await request(.put, large, as: "ada@contoso.com", from: client)
            #expect(try response.refusalCode() == "too_large")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder + "/files/ada@contoso.com").isEmpty)
    }

    @Test("are read by a server that is started again, with the same master key and no other") func startedAgain()
        async throws
    {
        try await server.application.test(.router) { client in
            _ = try await request(.put, Self.letter, as: "ada@contoso.com", from: client)
        }
        #expect(throws: IdentityKeyError.self) {
            try KeyFile(at: server.folder + "/keys", masterKey: MasterKey([UInt8](repeating: 1, count: 32)))
        }
        let keys = try KeyFile(at: server.folder + "/keys", masterKey: MasterKey((0..<32).map { UInt8($0) }))
        let protection = DataProtection(keys: keys, accounts: AllTenants())
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path())))
        #expect(try protection.unprotect(bytes, expecting: Identity("ada@contoso.com")) == Array(Self.letter.utf8))
    }
}
