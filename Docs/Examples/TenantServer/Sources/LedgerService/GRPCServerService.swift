import GRPCCore
import ServiceLifecycle

/// A gRPC server as a service: asked to stop, it takes no new calls and ends once those that run have ended.
struct GRPCServerService<Transport: ServerTransport>: Service {
    let server: GRPCServer<Transport>

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await server.serve()
        } onGracefulShutdown: {
            server.beginGracefulShutdown()
        }
    }
}
