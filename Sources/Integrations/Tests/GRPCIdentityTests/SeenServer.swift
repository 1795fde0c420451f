import Dispatch
import Foundation
import GRPCCore
import GRPCIdentity
import GRPCInProcessTransport
import MultiIdentity
import MultiIdentityCarriers
import SignedIdentity
import Synchronization

/// A server that answers with the identities it sees, and its client, in this process.
struct SeenServer {
    typealias Client = SeenClient<InProcessTransport.Client>

    let calls = SeenCalls()
    let keys: KeyRing
    let verifier: SignatureVerifier

    init() throws {
        keys = try KeyRing(parsing: "one:" + Data((0..<32).map { UInt8($0) }).base64EncodedString())
        verifier = .hmac(audience: "ledger", issuers: ["web": keys])
    }

    func signing() throws -> IdentitySigning { try .hmac(issuer: "web", audience: "ledger", keys: keys) }

    /// Runs `body` with a client that has these interceptors; the default signs as the server expects.
    func run<Value: Sendable>(
        interceptors: [any ClientInterceptor]? = nil,
        forRevoked: Set<MethodDescriptor> = [],
        onRefusal: @escaping @Sendable (any Error, MethodDescriptor) -> Void = { _, _ in },
        _ body: @Sendable (Client) async throws -> Value
    ) async throws -> Value {
        let transport = InProcessTransport()
        let interceptors = try interceptors ?? [IdentityClientInterceptor(signing: signing())]
        return try await withGRPCServer(
            transport: transport.server,
            services: [calls],
            interceptors: [
                IdentityServerInterceptor(verifier: verifier, methodsForRevoked: forRevoked, onRefusal: onRefusal)
            ]
        ) { _ in
            try await withGRPCClient(transport: transport.client, interceptors: interceptors) { client in
                try await body(Client(client: client))
            }
        }
    }
}

/// The identities seen for one message of a call.
struct Seen: Codable, Hashable, Sendable {
    let id: String
    /// In the handler, in the code that writes the answer, and after a hop onto a thread that may block.
    let names: [String]
}

/// A service that answers each message with the identities that it sees.
final class SeenCalls: RegistrableRPCService {
    static let method = MethodDescriptor(fullyQualifiedService: "seen.Calls", method: "Each")

    private let queue = IdentityQueue(label: "seen", attributes: .concurrent)
    private let reached = Mutex(0)

    /// The number of calls that reached the handler.
    var calls: Int { reached.withLock { $0 } }

    func registerMethods(with router: inout RPCRouter<some ServerTransport>) {
        router.registerHandler(
            forMethod: Self.method,
            deserializer: JSONMessage<String>(),
            serializer: JSONMessage<Seen>()
        ) { request, _ in
            self.reached.withLock { $0 += 1 }
            let handler = Self.seen
            return StreamingServerResponse { writer in
                for try await id in request.messages {
                    try await writer.write(Seen(id: id, names: [handler, Self.seen, self.seenOnQueue()]))
                }
                return [:]
            }
        }
    }

    private func seenOnQueue() async -> String {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: Self.seen) } }
    }

    static var seen: String { Identity.current.map { $0.isNobody ? "(nobody)" : $0.name } ?? "(unset)" }
}

/// A client of the service.
struct SeenClient<Transport: ClientTransport>: Sendable {
    let client: GRPCClient<Transport>

    /// Sends messages, and returns the answers; each contains the identities of the code here that writes and reads.
    func call(_ ids: [String], metadata: Metadata = [:]) async throws -> [Seen] {
        let request = StreamingClientRequest<String>(metadata: metadata) { writer in
            for id in ids { try await writer.write("\(id) of \(SeenCalls.seen)") }
        }
        return try await client.bidirectionalStreaming(
            request: request,
            descriptor: SeenCalls.method,
            serializer: JSONMessage<String>(),
            deserializer: JSONMessage<Seen>(),
            options: .defaults
        ) { response in
            var answers: [Seen] = []
            for try await seen in response.messages {
                answers.append(Seen(id: seen.id, names: seen.names + [SeenCalls.seen]))
            }
            return answers
        }
    }
}

/// Messages as JSON, so that no code has to be generated.
struct JSONMessage<Message: Codable & Sendable>: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: Message) throws -> Bytes {
        Bytes(try JSONEncoder().encode(message))
    }

    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> Message {
        try bytes.withUnsafeBytes { try JSONDecoder().decode(Message.self, from: Data($0)) }
    }
}
