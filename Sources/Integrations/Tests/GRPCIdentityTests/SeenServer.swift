import Foundation
import GRPCCore
import GRPCIdentity
import GRPCInProcessTransport
import MultiIdentity
import MultiIdentityCarriers
import SignedIdentity

/// A server that answers with the identities it sees, and a client of it, in this process.
struct SeenServer {
    typealias Client = SeenClient<InProcessTransport.Client>

    let calls = SeenCalls()
    let keys: KeyRing
    let verifier: SignatureVerifier

    init() throws {
        keys = try KeyRing(parsing: "one:" + Data((0..<32).map { UInt8($0) }).base64EncodedString())
        verifier = .hmac(audience: "ledger", issuers: ["web": keys])
    }

    func signing(
        issuer: String = "web",
        audience: String = "ledger",
        now: (@Sendable () -> Duration)? = nil
    ) throws -> IdentitySigning {
        try .hmac(issuer: issuer, audience: audience, keys: keys, now: now)
    }

    /// Runs `body` with a client that has these interceptors; the default signs as the server expects.
    func run<Value: Sendable>(
        interceptors: [any ClientInterceptor]? = nil,
        onRefusal: @escaping @Sendable (any Error, MethodDescriptor) -> Void = { _, _ in },
        _ body: @Sendable (Client) async throws -> Value
    ) async throws -> Value {
        let transport = InProcessTransport()
        let interceptors = try interceptors ?? [IdentityClientInterceptor(signing: signing())]
        return try await withGRPCServer(
            transport: transport.server,
            services: [calls],
            interceptors: [IdentityServerInterceptor(verifier: verifier, onRefusal: onRefusal)]
        ) { _ in
            try await withGRPCClient(transport: transport.client, interceptors: interceptors) { client in
                try await body(Client(client: client))
            }
        }
    }
}
