import GRPCCore
import GRPCIdentity
import MultiIdentity
import Synchronization
import Testing

@Suite("A call runs as its caller, in the next process") struct CallsOfUsersTests {
    @Test(
        "from the handler to the last message of its answer, and to a thread that may block",
        arguments: ["ada@contoso.com", "Ada Ü \"x\"; y=z, ✓", "(nobody)"]
    )
    func everywhere(_ name: String) async throws {
        let identity = name == "(nobody)" ? Identity.nobody : try Identity(name)
        let answers = try await SeenServer().run { client in
            try await withIdentity(identity) { try await client.call(["1", "2", "3"]) }
        }
        #expect(
            answers == ["1", "2", "3"].map { Seen(id: "\($0) of \(name)", names: Array(repeating: name, count: 4)) }
        )
    }

    @Test("while two hundred users call ten times each: each sees its own user and no other")
    func manyUsers() async throws {
        let server = try SeenServer()
        try await server.run { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for user in (0..<200).map({ "user\($0)@contoso.com" }) {
                    group.addTask {
                        try await withIdentity(Identity(user)) {
                            for call in 0..<10 {
                                let expected = Seen(id: "\(call) of \(user)", names: Array(repeating: user, count: 4))
                                let answers = try await client.call(["\(call)"])
                                #expect(answers == [expected])
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(server.calls.calls == 2_000)
    }

    @Test("and one without an identity is refused before it leaves") func unset() async throws {
        let server = try SeenServer()
        let error = await #expect(throws: RPCError.self) {
            try await server.run { client in try await withIdentity(nil) { _ = try await client.call(["1"]) } }
        }
        #expect(error?.code == .unauthenticated)
        #expect(error?.message.contains("seen.Calls/Each was not called") == true)
        #expect(server.calls.calls == 0)
    }

    @Test("whatever identity the caller's own metadata claim") func replaced() async throws {
        let metadata: Metadata = ["baggage": "identity=grace@contoso.com,tenant=contoso", "baggage": "identity=eve"]
        let answers = try await SeenServer().run { client in
            try await withIdentity(Identity("ada@contoso.com")) { try await client.call(["1"], metadata: metadata) }
        }
        #expect(answers.map(\.names) == [Array(repeating: "ada@contoso.com", count: 4)])
    }

    /// Revocation applies to the whole process: this test has its own user.
    @Test("but not for a revoked owner; what removes the owner's data calls as the owner") func revoked() async throws {
        let server = try SeenServer()
        let seen = SeenMetadata()
        let ada = try Identity("revoked-caller@contoso.com")
        let interceptors: [any ClientInterceptor] = [try IdentityClientInterceptor(signing: server.signing()), seen]
        try await server.run(interceptors: interceptors) { client in
            await withIdentity(ada) {
                IdentityRevocation.revoke(ada, for: .wiped)
                let error = await #expect(throws: RPCError.self) { try await client.call(["1"]) }
                #expect(error?.code == .unauthenticated)
                #expect(server.calls.calls == 0 && seen.baggage == [], "it did not leave as nobody's either")
            }
            let error = await #expect(throws: RPCError.self) {
                try await IdentityClientInterceptor.calling(as: ada) { try await client.call(["2"]) }
            }
            #expect(error?.code == .unauthenticated && error?.message == "Nobody is authenticated.")
            #expect(server.calls.calls == 0, "the server admits no new work either")
        }
        try await server.run(interceptors: interceptors, forRevoked: [SeenCalls.method]) { client in
            _ = try await IdentityClientInterceptor.calling(as: ada) { try await client.call(["3"]) }
            #expect(server.calls.calls == 1)
            #expect(seen.baggage.count == 2 && seen.baggage.allSatisfy { $0.contains("revoked-caller") })
            IdentityRevocation.readmit(ada, after: .wiped)
        }
    }
}

/// Records the claims that were sent.
private final class SeenMetadata: ClientInterceptor {
    private let list = Mutex<[String]>([])

    var baggage: [String] { list.withLock { $0 } }

    func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingClientRequest<Input>,
        context: ClientContext,
        next: @concurrent (StreamingClientRequest<Input>, ClientContext) async throws -> StreamingClientResponse<Output>
    ) async throws -> StreamingClientResponse<Output> {
        let values = request.metadata[stringValues: "baggage"].map { $0 }
        list.withLock { $0 += values }
        return try await next(request, context)
    }
}
