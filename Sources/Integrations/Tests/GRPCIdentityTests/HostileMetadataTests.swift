import GRPCCore
import MultiIdentity
import MultiIdentityCarriers
import Synchronization
import Testing

@Suite("A call whose metadata prove no identity") struct HostileMetadataTests {
    @Test("is refused without the reason, reaches no handler and binds nothing", arguments: HostileMetadata.allCases)
    func refused(_ hostile: HostileMetadata) async throws {
        let server = try SeenServer()
        let seen = Mutex<[Identity?]>([])
        let reasons = Mutex<[String]>([])
        let metadata = try hostile.metadata(for: server)
        let error = await #expect(throws: RPCError.self) {
            try await server.run(
                interceptors: [],
                onRefusal: { error, _ in
                    seen.withLock { $0.append(Identity.current) }
                    reasons.withLock { $0.append("\(error)") }
                }
            ) { client in
                // The server has no identity even where the client's own task has one.
                _ = try await withIdentity(Identity("eve@contoso.com")) {
                    try await client.call(["1"], metadata: metadata)
                }
            }
        }
        #expect(error?.code == .unauthenticated)
        #expect(error?.message == "Nobody is authenticated." && error?.cause == nil)
        let reason = try #require(reasons.withLock { $0 }.first)
        #expect(reason.contains(hostile.reason) && !reason.contains { $0.isNewline }, "\(reason)")
        #expect(server.calls.calls == 0)
        #expect(seen.withLock { $0 } == [nil])
    }

    @Test("disturbs no valid call that runs at the same time") func among() async throws {
        let server = try SeenServer()
        let claim = try IdentityBaggage.standard.headerValue(
            for: Identity("ada@contoso.com"),
            signing: server.signing()
        )
        let valid: Metadata = ["baggage": .string(try #require(claim))]
        let hostile = try HostileMetadata.allCases.map { try $0.metadata(for: server) }
        try await server.run(interceptors: []) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for metadata in hostile {
                    group.addTask {
                        _ = await #expect(throws: RPCError.self) { try await client.call(["x"], metadata: metadata) }
                    }
                    group.addTask {
                        let answers = try await client.call(["1"], metadata: valid)
                        #expect(answers.first?.names.prefix(3) == Array(repeating: "ada@contoso.com", count: 3)[...])
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(server.calls.calls == hostile.count)
    }
}
