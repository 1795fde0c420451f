import Dispatch
import Foundation
import Hummingbird
import HummingbirdIdentity
import HummingbirdTesting
import InMemoryLogging
import InMemoryTracing
import Logging
import Metrics
import MetricsIdentity
import MetricsTestKit
import MultiIdentityFoundation
import Testing
import Tracing

@Suite("A request's logger, tracer, span and metrics") struct CompanionTests {
    /// A hand-over that loses task-locals.
    enum HandOver: String, CaseIterable {
        case queue, operation, timer, detachedTask

        func callAsFunction(_ work: @escaping @Sendable () -> Void) {
            switch self {
            case .queue: IdentityQueue(label: "work").async(execute: work)
            case .operation: IdentityOperationQueue().addOperation(work)
            case .timer:
                let timer = DispatchSource.makeTimerSource().propagatingIdentity
                timer.setEventHandler {
                    work()
                    timer.cancel()
                }
                timer.schedule(deadline: .now())
                timer.activate()
            case .detachedTask: Task.propagatingIdentity.detached { work() }
            }
        }
    }

    init() {
        IdentityCompanions.carryLogger()
        IdentityCompanions.carryMetricsFactory()
        IdentityCompanions.carryTracing()
    }

    @Test("are those of the request in the work that it hands over", arguments: HandOver.allCases)
    func survive(_ handOver: HandOver) async throws {
        let (lines, metrics, tracer) = (InMemoryLogHandler(), TestMetrics(), InMemoryTracer())
        let router = Router()
        router.add(middleware: TracingMiddleware())
        router.add(middleware: IdentityMiddleware { _, _ in try Identity("ada@contoso.com") })
        router.get("report") { _, _ in
            await withMetricsFactory(metrics) {
                await withCheckedContinuation { continuation in
                    handOver {
                        Logger.current.info("reported")
                        Counter(label: "reports").increment()
                        withSpan("report") { _ in }
                        continuation.resume(returning: Identity.current?.name ?? "unset")
                    }
                }
            }
        }
        let application = Application(router: router, logger: Logger(label: "test") { _ in lines })
        try await withTracer(tracer) {
            try await application.test(.router) { client in
                let response = try await client.executeRequest(uri: "/report", method: .get, headers: [:], body: nil)
                #expect(String(buffer: response.body) == "ada@contoso.com")
            }
        }
        let line = lines.entries.first { $0.message == "reported" }
        #expect(line?.metadata["identity"] == "ada@contoso.com" && line?.metadata["hb.request.id"] != nil)
        #expect(try metrics.expectCounter("reports").totalValue == 1)
        let inner = try #require(tracer.finishedSpans.first { $0.operationName == "report" })
        let outer = try #require(tracer.finishedSpans.first { $0.operationName == "/report" })
        #expect(inner.parentSpanID == outer.spanID && inner.traceID == outer.traceID)
    }
}
