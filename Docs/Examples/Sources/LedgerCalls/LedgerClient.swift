import GRPCCore
import GRPCIdentity
import GRPCNIOTransportHTTP2Posix
public import MultiIdentity
import MultiIdentityCarriers
public import ServiceLifecycle
public import SignedIdentity

/// A connection to the ledger: each call carries the current identity, signed.
public struct LedgerClient: Service {
    private let client: GRPCClient<HTTP2ClientTransport.Posix>

    /// Creates a client of the ledger at an address; it connects once ``run()`` runs.
    ///
    /// - Parameters:
    ///   - host: The IPv4 address.
    ///   - port: The port.
    ///   - keys: The keys that the ledger shares with this service; `nil` claims no identity, and every call is refused.
    /// - Throws: The transport's error; an `IdentityCarrierError` if the claim's values cannot be sent.
    public init(host: String, port: Int, keys: KeyRing?) throws {
        // Each call waits at most ten seconds for a restarting ledger.
        let calls = MethodConfig(
            names: [MethodConfig.Name(service: LedgerMethod.service.fullyQualifiedService)],
            waitForReady: true,
            timeout: .seconds(10)
        )
        let transport = try HTTP2ClientTransport.Posix(
            target: .ipv4(address: host, port: port),
            transportSecurity: .plaintext,
            serviceConfig: ServiceConfig(methodConfig: [calls])
        )
        let signing = try keys.map { try IdentitySigning.hmac(issuer: "web", audience: "ledger", keys: $0) }
        client = GRPCClient(
            transport: transport,
            interceptors: signing.map { [IdentityClientInterceptor(signing: $0)] } ?? []
        )
    }

    /// Connects, until a graceful shutdown and the end of the running calls.
    public func run() async throws {
        try await withGracefulShutdownHandler {
            try await client.runConnections()
        } onGracefulShutdown: {
            client.beginGracefulShutdown()
        }
    }

    /// Appends to the current user's ledger.
    public func append(_ text: String) async throws -> Entry {
        try await client.unary(
            request: ClientRequest(message: NewEntry(text: text)),
            descriptor: LedgerMethod.append,
            serializer: JSONMessage<NewEntry>(),
            deserializer: JSONMessage<Entry>(),
            options: .defaults
        ) { try $0.message }
    }

    /// Removes the ledger of a leaving user, who is already revoked here.
    public func erase(_ owner: Identity) async throws {
        _ = try await IdentityClientInterceptor.calling(as: owner) {
            try await client.unary(
                request: ClientRequest(message: [String]()),
                descriptor: LedgerMethod.erase,
                serializer: JSONMessage<[String]>(),
                deserializer: JSONMessage<Erased>(),
                options: .defaults
            ) { try $0.message }
        }
    }
}
