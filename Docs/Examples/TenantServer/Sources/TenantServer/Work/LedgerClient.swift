import GRPCCore
import GRPCIdentity
import GRPCNIOTransportHTTP2Posix
import HTTPTypes
import LedgerProtocol
import Logging
import MultiIdentity
import ServiceLifecycle
import SwiftProtobuf

/// The ledger, which another process keeps: each call says there, signed, whose work it is.
struct LedgerClient: LedgerCalling, Service {
    private let client: GRPCClient<HTTP2ClientTransport.Posix>

    /// - Parameters:
    ///   - host: Where the ledger listens: an address of IPv4.
    ///   - port: Its port.
    ///   - signing: Signs for it.
    /// - Throws: What the transport throws.
    init(host: String, port: Int, signing: IdentitySigning) throws {
        client = GRPCClient(
            transport: try .http2NIOPosix(target: .ipv4(address: host, port: port), transportSecurity: .plaintext),
            interceptors: [IdentityClientInterceptor(signing: signing)]
        )
    }

    /// Keeps the connection, until the server stops and every call has been answered.
    func run() async throws {
        try await withGracefulShutdownHandler {
            try await client.runConnections()
        } onGracefulShutdown: {
            client.beginGracefulShutdown()
        }
    }

    func record(_ errand: Errand) async throws -> [Sighting] {
        let entry = try await errand.asOwner {
            do {
                return try await Ledger_V1_Ledger.Client(wrapping: client).append(
                    .with {
                        $0.requestID = errand.jobKey
                        $0.text = "An entry for \(errand.marker.text)"
                    },
                    options: timeout
                )
            } catch let error as RPCError {
                errand.logger.warning("the ledger failed", metadata: ["reason": "\(error)"])
                throw Refusal(.serviceUnavailable, code: "no_ledger", "The ledger does not answer: try again later.")
            }
        }
        return [
            Sighting(as: entry.servedAs.shown, place: "ledger"),
            Sighting(as: entry.owner.shown, place: "ledger's entry"),
            errand.sighting(at: "after the ledger"),
        ]
    }

    private var timeout: CallOptions {
        var options = CallOptions.defaults
        options.timeout = .seconds(10)
        return options
    }
}

extension Ledger_V1_Seen {
    fileprivate var shown: String {
        switch who {
        case .name(let name): name
        case .nobody, .unset, nil: "no one"
        }
    }
}
