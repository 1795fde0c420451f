import GRPCCore
import LedgerProtocol
import MultiIdentity
import MultiIdentityCarriers
import Synchronization
import Testing

@Suite("A call with metadata that prove nobody") struct HostileMetadataTests {
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
                // Even where the client's own task has somebody, the server has not.
                _ = try await withIdentity(Identity("eve@contoso.com")) {
                    try await client.append(Ledger_V1_AppendRequest("1"), metadata: metadata)
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

    @Test("is refused as well where its answer is a stream", arguments: [HostileMetadata.none, .changedName, .twice])
    func refusedStream(_ hostile: HostileMetadata) async throws {
        let server = try SeenServer()
        let metadata = try hostile.metadata(for: server)
        let error = await #expect(throws: RPCError.self) {
            try await server.run(interceptors: []) { client in
                try await client.list(Ledger_V1_ListRequest(), metadata: metadata) { response in
                    for try await _ in response.messages { Issue.record("there was an answer") }
                }
            }
        }
        #expect(error?.code == .unauthenticated)
        #expect(server.calls.calls == 0)
    }

    @Test("among right ones disturbs none of them")
    func among() async throws {
        let server = try SeenServer()
        let right: Metadata = [
            "baggage": .string(
                try #require(
                    try IdentityBaggage.standard.headerValue(
                        for: Identity("ada@contoso.com"),
                        signing: server.signing()
                    )
                )
            )
        ]
        let hostile = try HostileMetadata.allCases.map { try $0.metadata(for: server) }
        try await server.run(interceptors: []) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for metadata in hostile {
                    group.addTask {
                        _ = await #expect(throws: RPCError.self) {
                            try await client.append(Ledger_V1_AppendRequest("x"), metadata: metadata)
                        }
                    }
                    group.addTask {
                        let entry = try await client.append(Ledger_V1_AppendRequest("1"), metadata: right)
                        #expect(entry.servedAs.name == "ada@contoso.com")
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(server.calls.calls == hostile.count)
    }
}
