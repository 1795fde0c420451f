import Foundation
import Hummingbird
import HummingbirdIdentity
import HummingbirdTesting
import InMemoryLogging
import InMemoryTracing
import Logging
import LoggingIdentity
import Metrics
import MetricsIdentity
import MetricsTestKit
import MultiIdentity
import Testing
import Tracing

/// A request that has an identity, a logger, a factory of metrics and a span bound, and hands work over.
struct CompanionRequest {
    init() {
        IdentityCompanions.carry(ServiceContext.$current)
        IdentityCompanions.carryLogger()
        IdentityCompanions.carryMetricsFactory()
    }

    /// Expects that work which is handed over finds all four.
    func expectAll(acrossA handOver: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void) async throws
    {
        let (lines, metrics, tracer) = (InMemoryLogHandler(), TestMetrics(), InMemoryTracer())
        let router = Router()
        router.add(middleware: IdentityMiddleware { _, _ in try Identity("ada@contoso.com") })
        router.get("report") { _, _ in
            var logger = Logger(label: "request", factory: { _ in lines })
            logger[metadataKey: "request"] = "7"
            return await withLogger(logger) { _ in
                await withMetricsFactory(metrics) {
                    await tracer.withSpan("GET /report") { _ in
                        await withCheckedContinuation { continuation in
                            handOver {
                                Logger.current.info("reported")
                                Counter(label: "reports").increment()
                                tracer.withSpan("report") { _ in }
                                continuation.resume(returning: Identity.current?.name ?? "unset")
                            }
                        }
                    }
                }
            }
        }
        try await Application(router: router).test(.router) { client in
            let response = try await client.executeRequest(uri: "/report", method: .get, headers: [:], body: nil)
            #expect(String(buffer: response.body) == "ada@contoso.com")
        }
        #expect(lines.entries.map(\.metadata["request"]) == ["7"])
        #expect(try metrics.expectCounter("reports").totalValue == 1)
        let inner = try #require(tracer.finishedSpans.first { $0.operationName == "report" })
        let outer = try #require(tracer.finishedSpans.first { $0.operationName == "GET /report" })
        #expect(inner.parentSpanID == outer.spanID && inner.traceID == outer.traceID)
    }
}
