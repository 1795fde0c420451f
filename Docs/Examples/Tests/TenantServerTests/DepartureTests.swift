import Foundation
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import LedgerCalls
import MultiIdentity
import Testing

@testable import tenant_server

/// Revocation applies to the whole process: each test has its own users.
@Suite("A user who leaves") struct DepartureTests {
    private let ada = "ada-\(UInt32.random(in: 0 ... .max))@contoso.com"
    private let grace = "grace-\(UInt32.random(in: 0 ... .max))@contoso.com"

    @Test("leaves nothing, is refused from then on, and no one else loses anything") func wiped() async throws {
        try await TestServer.run { server in
            for user in [ada, grace] {
                _ = try await server.send(.put, "/files/letter", "of \(user)", as: user)
                _ = try await server.send(.post, "/jobs", "job of \(user)", as: user)
                try await server.untilDone(1, of: user)
            }
            let name = try #require(ada.split(separator: "@").first.map(String.init)).replacing("-", with: "%2d")
            #expect(try !server.files(with: name).isEmpty)
            #expect(try await server.send(.delete, "/account", as: ada.uppercased()).status == .noContent)
            for (method, path) in [
                (HTTPRequest.Method.get, "/report"), (.put, "/files/new"), (.get, "/files/letter"), (.post, "/jobs"),
                (.get, "/events"),
            ] {
                #expect(try await server.send(method, path, "text", as: ada).status == .unauthorized)
            }
            #expect(try server.ledger.entries(of: Identity(ada)) == [])
            #expect(try server.files(with: name) == [])
            let file = try await server.send(.get, "/files/letter", as: grace)
            #expect(String(buffer: file.body) == "of \(grace)")
            #expect(try server.ledger.entries(of: Identity(grace)).count == 1)
            #expect(try await server.send(.delete, "/account", as: ada).status == .noContent, "again is harmless")
        }
    }

    @Test("stays out after a restart, while the token is valid") func afterRestart() async throws {
        let folder = TestServer.newFolder()
        try await TestServer.run(in: folder, isKept: true) { server in
            let answer = try await server.send(.delete, "/account", as: ada)
            #expect(answer.status == .noContent)
        }
        // As a new process begins.
        try IdentityRevocation.readmit(Identity(ada), after: .wiped)
        try await TestServer.run(in: folder) { server in
            let answer = try await server.send(.put, "/files/letter", "text", as: ada)
            #expect(answer.status == .unauthorized)
        }
    }

    @Test("has no further effect once the wipe is answered, whatever was in progress") func noEffectAfter() async throws
    {
        try await TestServer.run { server in
            let owner = try Identity(ada)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        while try await server.send(.put, "/files/\(UUID())", "of", as: ada).status != .unauthorized {
                            _ = try await server.send(.post, "/jobs", "of ada", as: ada)
                            _ = try await server.send(.get, "/report", as: ada)
                        }
                    }
                }
                group.addTask { _ = try await server.send(.get, "/events", as: ada) }
                try await server.untilDone(20, of: ada)
                #expect(try await server.send(.delete, "/account", as: ada).status == .noContent)
                let lines = server.log.entries.count
                #expect(server.ledger.entries(of: owner) == [])
                try await group.waitForAll()
                #expect(server.ledger.entries(of: owner) == [], "neither a job nor its entry came later")
                let later = server.log.entries.dropFirst(lines)
                #expect(later.allSatisfy { $0.metadata["for"] == nil })
                #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder + "/files") == [])
            }
        }
    }
}
