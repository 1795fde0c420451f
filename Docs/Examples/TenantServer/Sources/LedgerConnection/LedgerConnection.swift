import GRPCCore
import GRPCIdentity
public import GRPCNIOTransportHTTP2Posix
public import LedgerProtocol
public import MultiIdentity
public import MultiIdentityCarriers
public import ServiceLifecycle

/// A connection to the ledger, on which calls are made as the current identity; run it beside what needs it.
public struct LedgerConnection: Service {
    /// The ledger's calls.
    public let calls: Ledger_V1_Ledger.Client<HTTP2ClientTransport.Posix>
    private let client: GRPCClient<HTTP2ClientTransport.Posix>

    /// A connection, made once ``run()`` runs and again whenever it was lost.
    ///
    /// - Parameters:
    ///   - host: The ledger's address.
    ///   - port: Its port.
    ///   - signing: Signs the identity of calls, for the ledger.
    /// - Throws: `RuntimeError` where the address is none.
    public init(host: String, port: Int, signing: IdentitySigning) throws {
        var config = HTTP2ClientTransport.Posix.Config.defaults
        // The default waits up to two minutes: long after a ledger that was started again is there.
        config.backoff = .init(initial: .milliseconds(50), max: .seconds(2), multiplier: 1.6, jitter: 0.2)
        let retry = RetryPolicy(
            maxAttempts: 5,
            initialBackoff: .milliseconds(50),
            maxBackoff: .seconds(2),
            backoffMultiplier: 2,
            retryableStatusCodes: [.unavailable]
        )
        // Twice the same append is once, so it can be sent again.
        let method = MethodConfig(
            names: [MethodConfig.Name(service: Ledger_V1_Ledger.descriptor.fullyQualifiedService)],
            waitForReady: true,
            timeout: .seconds(10),
            executionPolicy: .retry(retry)
        )
        let transport = try HTTP2ClientTransport.Posix(
            target: .ipv4(address: host, port: port),
            transportSecurity: .plaintext,
            config: config,
            serviceConfig: ServiceConfig(methodConfig: [method])
        )
        client = GRPCClient(transport: transport, interceptors: [IdentityClientInterceptor(signing: signing)])
        calls = Ledger_V1_Ledger.Client(wrapping: client)
    }

    /// Removes somebody's ledger, who may be revoked here.
    ///
    /// - Parameter identity: The owner of the ledger.
    /// - Throws: `RPCError`, also where the ledger says that it removed another's or does not answer; it can be called again.
    public func erase(_ identity: Identity) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [calls] in
                let erased = try await IdentityClientInterceptor.calling(as: identity) {
                    try await calls.erase(Ledger_V1_EraseRequest())
                }
                guard case .name(let name) = erased.servedAs.who, (try? Identity(name)) == identity else {
                    throw RPCError(code: .internalError, message: "The ledger erased another's.")
                }
            }
            // The call's own time limit does not count as long as there is no connection.
            group.addTask {
                try await Task.sleep(for: .seconds(10))
                throw RPCError(code: .deadlineExceeded, message: "The ledger did not answer within ten seconds.")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Holds the connection until a graceful shutdown, and then until the calls that run have ended.
    public func run() async throws {
        try await withGracefulShutdownHandler {
            try await client.runConnections()
        } onGracefulShutdown: {
            client.beginGracefulShutdown()
        }
    }
}
