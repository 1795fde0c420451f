import GRPCCore
import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import ServiceLifecycle
import Synchronization
import Tracing

/// What a library binds as a task-local, which most of them keep to themselves.
enum LibraryBinding: String, CaseIterable, Codable, Sendable {
    case logger, context, tracer, metricsFactory, cancelledCall, gracefulShutdown

    /// Runs `body` with it, as the library does.
    func bind(_ body: @escaping @Sendable () async -> Void) async throws {
        switch self {
        case .logger: await withLogger(Logger(label: "request")) { _ in await body() }
        case .context:
            var context = ServiceContext.topLevel
            context[Number.self] = 7
            await ServiceContext.withValue(context) { await body() }
        case .tracer: await withTracer(InMemoryTracer()) { await body() }
        case .metricsFactory: await withMetricsFactory(TestMetrics()) { await body() }
        case .cancelledCall:
            await withServerContextRPCCancellationHandle { call in
                call.cancel()
                await body()
            }
        case .gracefulShutdown:
            let services: [ServiceGroupConfiguration.ServiceConfiguration] = [
                .init(service: Closing(body: body)),
                .init(service: Ending(), successTerminationBehavior: .gracefullyShutdownGroup),
            ]
            try await ServiceGroup(configuration: .init(services: services, logger: Logger(label: "group"))).run()
        }
    }

    /// Reports whether the code that runs here finds it.
    func look(_ report: @escaping @Sendable (Bool) -> Void) {
        switch self {
        case .logger: report(Logger.current.label == "request")
        case .context: report(ServiceContext.current?[Number.self] == 7)
        case .tracer: withSpan("work") { report($0 is InMemorySpan) }
        case .metricsFactory: report(MetricsSystem.factory is TestMetrics)
        case .cancelledCall:  // gRPC shows it to asynchronous code, as which work on a queue can go on
            Task {
                let isCancelled = Mutex(false)
                await withRPCCancellationHandler {
                } onCancelRPC: {
                    isCancelled.withLock { $0 = true }
                }
                report(isCancelled.withLock { $0 })
            }
        case .gracefulShutdown: report(Task.isShuttingDownGracefully)
        }
    }

    private enum Number: ServiceContextKey { typealias Value = Int }

    private struct Closing: Service {
        let body: @Sendable () async -> Void

        func run() async throws {
            try await ServiceLifecycle.gracefulShutdown()
            await body()
        }
    }

    private struct Ending: Service { func run() async {} }
}
