import Foundation
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import Testing

@testable import TenantServer

@Suite("Requests of many users at once") struct ManyUsersTests {
    /// The answer to one request: who asked, and whom the places saw.
    private struct Result {
        let user: String
        let marker: String
        let answers: [SeenAnswer]

        var wrong: [Sighting] { answers.flatMap(\.seen).filter { $0.as != user } }
    }

    /// Sends the request for `users` users, all at once.
    private func send(_ request: TenantRequest, to server: TestServer, users: Int) async throws -> [Result] {
        try await server.application.test(.router) { client in
            try await withThrowingTaskGroup { group in
                for number in 0..<users {
                    group.addTask {
                        let user = "user\(number)@contoso.com"
                        let marker = "\(number)-\(user)"
                        let response = try await client.executeRequest(
                            uri: request.path,
                            method: request.method,
                            headers: server.headers(for: user, marker: marker),
                            body: request.body.map { ByteBuffer(string: $0) }
                        )
                        return Result(user: user, marker: marker, answers: try response.answers())
                    }
                }
                var results: [Result] = []
                for try await result in group { results.append(result) }
                return results
            }
        }
    }

    @Test(
        "are each done as their own user, at every place",
        arguments: TenantRequest.all,
        [IdentityKeeping.carried, .withoutIdentity]
    )
    func areTheirOwn(_ request: TenantRequest, _ keeping: IdentityKeeping) async throws {
        let server = try await TestServer(keeping: keeping)
        for result in try await send(request, to: server, users: 64) {
            #expect(result.wrong == [])
            #expect(Set(result.answers.flatMap(\.seen).map(\.place)) == Set(request.places))
            #expect(result.answers.allSatisfy { $0.marker == result.marker })
        }
        for line in server.log.entries {
            guard case .string(let marker)? = line.metadata["marker"] else { continue }
            #expect(line.metadata["identity"] == .string(String(marker.drop { $0 != "-" }.dropFirst())))
        }
    }

    @Test(
        "are mixed up or lost by plain Dispatch with a thread-local",
        arguments: ["/report", "/pipeline", "/events?count=2"]
    )
    func areMixedUpByHand(path: String) async throws {
        let server = try await TestServer(keeping: .unsafePlainDispatch)
        let request = try #require(TenantRequest.all.first { $0.path == path })
        let wrong = try await send(request, to: server, users: 64).flatMap(\.wrong)
        #expect(!wrong.isEmpty)
    }

    @Test("leave work behind that is done as them, when the server has stopped", arguments: ["/background", "/jobs"])
    func leaveWorkBehind(path: String) async throws {
        let server = try await TestServer()
        let request = try #require(TenantRequest.all.first { $0.path == path })
        let asked = try await send(request, to: server, users: 64)
        // The service has stopped with the server: so every job has run.
        let records = try String(contentsOfFile: server.folder + "/background.jsonl", encoding: .utf8)
            .split(separator: "\n").map { try JSONDecoder().decode([String: String].self, from: Data($0.utf8)) }
        #expect(Set(records.map { $0["marker"] }) == Set(asked.map(\.marker)))
        #expect(records.count == asked.count)
        for record in records { #expect(record["marker"]?.hasSuffix("-" + (record["as"] ?? "")) == true) }
    }
}
