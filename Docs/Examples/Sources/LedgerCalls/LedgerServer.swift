public import GRPCCore
import GRPCIdentity
public import GRPCNIOTransportHTTP2Posix
public import MultiIdentity
import MultiIdentityCarriers
public import SignedIdentity
import Synchronization

/// The ledger of each user, in memory: a service whose handlers know their caller without an argument.
public final class Ledger: RegistrableRPCService {
    private let entries = Mutex<[Identity: [Entry]]>([:])
    private let queue = IdentityQueue(label: "ledger")

    /// Creates an empty ledger.
    public init() {}

    /// Returns a server that accepts only claims that `web` signed for `ledger` with one of these keys.
    public func server(
        on transport: HTTP2ServerTransport.Posix,
        keys: KeyRing
    ) -> GRPCServer<HTTP2ServerTransport.Posix> {
        let verifier = SignatureVerifier.hmac(audience: "ledger", issuers: ["web": keys])
        return GRPCServer(
            transport: transport,
            services: [self],
            interceptors: [IdentityServerInterceptor(verifier: verifier, methodsForRevoked: [LedgerMethod.erase])]
        )
    }

    /// All entries of one user, for tests and operators.
    public func entries(of owner: Identity) -> [Entry] { entries.withLock { $0[owner] ?? [] } }

    /// Registers both calls.
    public func registerMethods(with router: inout RPCRouter<some ServerTransport>) {
        router.registerHandler(
            forMethod: LedgerMethod.append,
            deserializer: JSONMessage<NewEntry>(),
            serializer: JSONMessage<Entry>()
        ) { request, _ in
            let new = try await ServerRequest(stream: request).message
            return StreamingServerResponse(single: ServerResponse(message: try await self.append(new)))
        }
        router.registerHandler(
            forMethod: LedgerMethod.erase,
            deserializer: JSONMessage<[String]>(),
            serializer: JSONMessage<Erased>()
        ) { _, _ in
            let owner = try Identity.required()
            let count = self.entries.withLock { $0.removeValue(forKey: owner)?.count ?? 0 }
            return StreamingServerResponse(single: ServerResponse(message: Erased(entries: count)))
        }
    }

    /// Appends on a queue, as a blocking library would; the queue carries the caller.
    private func append(_ new: NewEntry) async throws -> Entry {
        try await queue.runUnlessRevoked {
            let owner = try Identity.required()
            return self.entries.withLock { entries in
                let number = (entries[owner]?.count ?? 0) + 1
                let entry = Entry(owner: owner.name, number: number, text: new.text)
                entries[owner, default: []].append(entry)
                return entry
            }
        }
    }
}
