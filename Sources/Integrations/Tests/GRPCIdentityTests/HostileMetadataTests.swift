import GRPCCore
import GRPCIdentity
import MultiIdentity
import MultiIdentityCarriers
import SignedIdentity
import Synchronization
import Testing

/// Metadata that prove no identity; the tests of the carriers and of the key ring cover wrong claims.
enum HostileMetadata: String, CaseIterable, Sendable {
    case none, garbage, binary, unsigned, nobodyUnsigned, unknownKey, twice

    /// A word that the reason must contain, which only the server gets.
    var reason: String {
        switch self {
        case .none, .garbage, .binary: "no member"
        case .unsigned, .nobodyUnsigned: "unsigned"
        case .unknownKey: "not in the ring"
        case .twice: "duplicateMember"
        }
    }

    func metadata(for server: SeenServer) throws -> Metadata {
        func signed(_ name: String, _ signing: IdentitySigning? = nil) throws -> String {
            try IdentityBaggage.standard.headerValue(for: Identity(name), signing: signing ?? server.signing()) ?? ""
        }
        switch self {
        case .none: return [:]
        case .garbage: return ["baggage": "some=thing,else=;;;", "authorization": "Bearer x", "identity": "ada"]
        case .binary: return ["baggage-bin": .binary(Array(try signed("ada@contoso.com").utf8))]
        case .unsigned: return ["baggage": "identity=ada@contoso.com"]
        case .nobodyUnsigned: return ["baggage": "identity=;nobody"]
        case .unknownKey:
            let keys = try KeyRing(parsing: "two:" + "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
            let signing = try IdentitySigning.hmac(issuer: "web", audience: "ledger", keys: keys)
            return ["baggage": .string(try signed("ada@contoso.com", signing))]
        case .twice:
            return ["baggage": .string(try signed("ada@contoso.com")), "baggage": .string(try signed("grace"))]
        }
    }
}

@Suite("A call whose metadata prove no identity") struct HostileMetadataTests {
    @Test("is refused without the reason, reaches no handler and binds nothing", arguments: HostileMetadata.allCases)
    func refused(_ hostile: HostileMetadata) async throws {
        let server = try SeenServer()
        let refusals = Mutex<[(identity: Identity?, reason: String)]>([])
        let metadata = try hostile.metadata(for: server)
        let error = await #expect(throws: RPCError.self) {
            try await server.run(
                interceptors: [],
                onRefusal: { error, _ in refusals.withLock { $0.append((Identity.current, "\(error)")) } }
            ) { client in
                // The server has no identity even if the client's own task has one.
                _ = try await withIdentity(Identity("eve@contoso.com")) {
                    try await client.call(["1"], metadata: metadata)
                }
            }
        }
        #expect(error?.code == .unauthenticated)
        #expect(error?.message == "Nobody is authenticated." && error?.cause == nil)
        let refusal = try #require(refusals.withLock { $0 }.first)
        #expect(refusal.identity == nil)
        #expect(refusal.reason.contains(hostile.reason) && !refusal.reason.contains { $0.isNewline })
        #expect(server.calls.calls == 0)
    }
}
