import Foundation
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityManagementNetworking
import MultiIdentityPolicy
import Testing

@Suite("A service that is asked by URLSession") struct ServiceTests {
    private static let text = Data(#"{"version": 1, "identities": {"ada@contoso.com": {"log": true}}}"#.utf8)

    private final class Asked: Sendable {
        let lines = Locked<[[String]]>([])
        let bodies = Locked<[String]>([])
    }

    @Test("gives policies with their tag and signature, or says that they are unchanged", .rule("19.6"))
    func givesPolicies() async throws {
        let asked = Asked()
        let server = try LoopbackServer(answering: { request in
            asked.lines.withLock { $0.append(request.lines) }
            let isKnown = request.lines.contains { $0.lowercased() == #"if-none-match: "7""# }
            if isKnown { return LoopbackServer.response(304, Data()) }
            return LoopbackServer.response(200, Self.text, #"ETag: "7""#, "Policy-Signature: a..b")
        })
        let transport = URLSessionTransport(try server.url("/policies")) { ["Authorization": "Bearer t"] }
        let first = try await transport.fetch(PolicyRequest(tag: nil, wait: .zero))
        #expect(first == .policies(text: Array(Self.text), tag: #""7""#, signature: "a..b"))
        #expect(try await transport.fetch(PolicyRequest(tag: #""7""#, wait: .seconds(20))) == .unchanged)
        let lines = asked.lines.withLock { $0.map { $0.map { $0.lowercased() } } }
        #expect(lines.allSatisfy { $0[0] == "get /policies http/1.1" && $0.contains("authorization: bearer t") })
        #expect(lines[0].allSatisfy { !$0.hasPrefix("if-none-match") && !$0.hasPrefix("prefer") })
        #expect(lines[1].contains("prefer: wait=20"))
    }

    @Test("decides by what it is sent, and what it answers", .rule("19.6"), arguments: [true, false])
    func decides(_ isAllowed: Bool) async throws {
        let asked = Asked()
        let server = try LoopbackServer(answering: { request in
            asked.bodies.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
            return LoopbackServer.response(200, Data(#"{"decision": \#(isAllowed)}"#.utf8))
        })
        let accounts = Accounts(mode: .multi, policies: PolicyFeed(), levels: IdentityLevels())
        let point = PolicyDecisionPoint(URLSessionTransport(try server.url("/access/v1/evaluation")))
        let decision = await point.decide(.log, for: try Identity("ada@contoso.com"), in: accounts)
        #expect(decision.isAllowed == isAllowed && decision.rule == .decisionPoint)
        #expect(asked.bodies.withLock { $0.count } == 1)
        #expect(asked.bodies.withLock { $0.first?.contains("ada@contoso.com") } == true)
    }

    @Test(
        "is not believed with another status, nor followed elsewhere, and refuses then",
        .rule("19.6"),
        arguments: [302, 401, 500]
    )
    func isNotBelieved(_ status: Int) async throws {
        let asked = Asked()
        let server = try LoopbackServer(answering: { request in
            asked.lines.withLock { $0.append(request.lines) }
            if request.path == "/elsewhere" { return LoopbackServer.response(200, Data(#"{"decision": true}"#.utf8)) }
            return LoopbackServer.response(status, Data(#"{"decision": true}"#.utf8), "Location: /elsewhere")
        })
        let transport = URLSessionTransport(try server.url("/policies"))
        await #expect(throws: ServiceStatusError.self) {
            try await transport.fetch(PolicyRequest(tag: nil, wait: .zero))
        }
        let accounts = Accounts(mode: .multi, policies: PolicyFeed(), levels: IdentityLevels())
        let point = PolicyDecisionPoint(URLSessionTransport(try server.url("/access/v1/evaluation")))
        #expect(await !point.decide(.log, for: nil, in: accounts).isAllowed)
        #expect(asked.lines.withLock { $0.count } == 2, "nobody went elsewhere")
        let socket = try LoopbackSocket()
        let gone = PolicyDecisionPoint(
            URLSessionTransport(try #require(URL(string: "http://127.0.0.1:\(socket.port)/")))
        )
        #expect(await !gone.decide(.log, for: nil, in: accounts).isAllowed, "nobody listens there")
    }

    @Test(
        "is given up where it says more than is read, or the task that waits is cancelled",
        .rule("19.6"),
        .timeLimit(.minutes(1))
    )
    func isGivenUp() async throws {
        let (hung, hang) = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer(
            onHang: { hang.yield() },
            answering: { request in
                request.path == "/long" ? LoopbackServer.response(200, Data(count: (1 << 20) + 1)) : nil
            }
        )
        let long = URLSessionTransport(try server.url("/long"))
        let error = await #expect(throws: URLError.self) { _ = try await long.evaluate([]) }
        #expect(error?.code == .dataLengthExceedsMaximum)
        let hanging = URLSessionTransport(try server.url("/hang"))
        let waiting = Task { try await hanging.evaluate([1]) }
        for await _ in hung { break }
        waiting.cancel()
        await #expect(throws: (any Error).self) { _ = try await waiting.value }
        let early = Task { try await hanging.evaluate([1]) }
        early.cancel()
        await #expect(throws: (any Error).self) { _ = try await early.value }
    }
}
