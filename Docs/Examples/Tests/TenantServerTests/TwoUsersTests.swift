import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import InMemoryTracing
import LedgerCalls
import Logging
import MultiIdentity
import Testing
import Tracing

@testable import tenant_server

@Suite("Two users who ask at once") struct TwoUsersTests {
    @Test("are never mixed: in reports, files, jobs, the ledger, streams and log lines") func neverMixed() async throws
    {
        try await TestServer.run { server in
            let users = [
                "ada-\(UInt32.random(in: 0 ... .max))@contoso.com",
                "grace-\(UInt32.random(in: 0 ... .max))@contoso.com",
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for user in users {
                    // Until the user leaves.
                    group.addTask {
                        let events = try TestServer.events(try await server.send(.get, "/events", as: user))
                        #expect(events.count > 0 && events.allSatisfy { $0.owner == user && $0.text.hasSuffix(user) })
                    }
                    group.addTask { try await work(as: user, server) }
                }
                try await group.waitForAll()
            }
            // The user in a line's metadata is the user that it was logged as.
            let about = server.log.entries.filter { $0.metadata["for"] != nil }
            #expect(about.allSatisfy { $0.metadata["identity"] == $0.metadata["for"] })
            #expect(
                Set(about.map(\.message.description)) == ["report rendered", "file stored", "job done", "event sent"]
            )
        }
    }

    /// Runs sixteen rounds at once over all routes, and then leaves, which ends the stream.
    private func work(as user: String, _ server: TestServer) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<16 {
                group.addTask {
                    let report = try await server.send(.get, "/report", as: user)
                    #expect(String(buffer: report.body) == "Report for \(user)\n")
                    let content = "content \(round) of \(user)"
                    #expect(try await server.send(.put, "/files/letter\(round)", content, as: user).status == .created)
                    let file = try await server.send(.get, "/files/letter\(round)", as: user)
                    #expect(String(buffer: file.body) == content)
                    #expect(try await server.send(.post, "/jobs", "job of \(user)", as: user).status == .accepted)
                }
            }
            try await group.waitForAll()
        }
        var jobs = 16
        // The stream may have begun after all of these were done.
        while !server.log.entries.contains(where: { $0.message == "event sent" && $0.metadata["for"] == .string(user) })
        {
            #expect(try await server.send(.post, "/jobs", "job of \(user)", as: user).status == .accepted)
            jobs += 1
        }
        try await server.untilDone(jobs, of: user)
        let entries = server.ledger.entries(of: try Identity(user))
        #expect(entries.allSatisfy { $0.owner == user && $0.text == "job of \(user)" })
        #expect(entries.map(\.number) == Array(1...jobs))
        #expect(try await server.send(.delete, "/account", as: user).status == .noContent)
    }

    @Test("each have a span that names them") func spans() async throws {
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            try await TestServer.run { server in
                for user in ["ada@contoso.com", "grace@contoso.com"] {
                    _ = try await server.send(.get, "/report", as: user)
                }
            }
        }
        let users = tracer.finishedSpans.filter { $0.operationName == "/report" }
            .map { $0.attributes.get("enduser.id") }
        #expect(users == [.string("ada@contoso.com"), .string("grace@contoso.com")])
    }

    @Test("see nothing of each other's files, whatever the names") func files() async throws {
        try await TestServer.run { server in
            for name in ["letter", "%2E%2E%2Fletter", "grace@contoso.com+letter", "%C3%84"] {
                #expect(
                    try await server.send(.put, "/files/\(name)", "of ada", as: "ada@contoso.com").status == .created
                )
                let other = try await server.send(.get, "/files/\(name)", as: "grace@contoso.com")
                #expect(other.status == .notFound)
                let own = try await server.send(.get, "/files/\(name)", as: "ADA@contoso.com")
                #expect(String(buffer: own.body) == "of ada")
            }
            #expect(try server.files(with: "of ada") == [], "it is encrypted")
        }
    }

    @Test(
        "are refused without a valid token, and bind no identity",
        arguments: [
            "", "Bearer ", "Bearer x.y.z", "Basic YWRhOng=",
            // Signed with another secret; `none` for an algorithm.
            "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl",
            "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.",
        ]
    )
    func tokens(_ authorization: String) async throws {
        try await TestServer.run { server in
            for (method, path) in [(HTTPRequest.Method.get, "/report"), (.put, "/files/x"), (.delete, "/account")] {
                let answer = try await server.client.execute(
                    uri: path,
                    method: method,
                    headers: [.authorization: authorization]
                )
                #expect(answer.status == .unauthorized)
            }
            #expect(server.log.entries.allSatisfy { $0.metadata["identity"] == nil })
        }
    }

    @Test("are refused with a token that has expired, or is for another service") func wrongTokens() async throws {
        let authority = await TokenAuthority(secret: "a secret of more than thirty-two bytes")
        #expect(try await authority.user(of: authority.token(for: "ada")) == "ada")
        let expired = try await authority.token(for: "ada", lifetime: .seconds(-1))
        await #expect(throws: (any Error).self) { try await authority.user(of: expired) }
        let other = await TokenAuthority(secret: "another secret of more than thirty-two bytes")
        let foreign = try await other.token(for: "ada")
        await #expect(throws: (any Error).self) { try await authority.user(of: foreign) }
    }
}
