import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Logging
import ServiceLifecycle

/// Logs where the server listens, once it does: with port 0 nobody knows otherwise.
struct AddressReport: Service {
    let transport: HTTP2ServerTransport.Posix
    let logger: Logger

    func run() async throws {
        let address = try await transport.listeningAddress
        logger.notice("Listening", metadata: ["address": "\(address)"])
        try? await gracefulShutdown()
    }
}
