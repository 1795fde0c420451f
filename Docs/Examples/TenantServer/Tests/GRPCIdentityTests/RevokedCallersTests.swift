import GRPCCore
import GRPCIdentity
import LedgerProtocol
import MultiIdentity
import Synchronization
import Testing

/// Revocation is the process's: the test has a user of its own.
@Suite("A call of work of a revoked owner") struct RevokedCallersTests {
    @Test("is refused and does not leave as nobody's; what removes the owner's data calls as the owner")
    func refused() async throws {
        let server = try SeenServer()
        let seen = SeenMetadata()
        let ada = try Identity("revoked-caller@contoso.com")
        try await server.run(interceptors: [IdentityClientInterceptor(signing: server.signing()), seen]) { client in
            await withIdentity(ada) {
                IdentityRevocation.revoke(ada, for: .wiped)
                let error = await #expect(throws: RPCError.self) {
                    try await client.append(Ledger_V1_AppendRequest("1"))
                }
                #expect(error?.code == .unauthenticated)
                #expect(server.calls.calls == 0)
                #expect(seen.baggage == [])
            }
            _ = try await IdentityClientInterceptor.calling(as: ada) {
                try await client.append(Ledger_V1_AppendRequest("2"))
            }
            #expect(server.calls.calls == 1)
            #expect(seen.baggage.count == 1 && seen.baggage.allSatisfy { $0.contains("revoked-caller") })
            IdentityRevocation.readmit(ada, after: .wiped)
        }
    }
}

/// The claims that left.
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
