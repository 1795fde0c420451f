import Hummingbird
import HummingbirdTesting
import InMemoryTracing
import MultiIdentity
import Testing
import Tracing

@Suite("A span that TracingMiddleware of Hummingbird binds") struct SpanTests {
    @Test("is there while a streamed body is written, where the handler wraps that") func wrapped() async throws {
        IdentityCompanions.carry(InstrumentationContext.$current)  // tracing's, beside the identity
        let tracer = InMemoryTracer()
        let router = Router()
        router.addMiddleware { TracingMiddleware() }
        router.get("notes") { _, _ in
            let query = IdentitySnapshot.capture().wrap { withSpan("in the body") { _ in } }
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    query()
                    try await writer.finish(nil)
                }
            )
        }
        try await Application(router: router).test(.router) { client in
            try await withTracer(tracer) { _ = try await client.execute(uri: "/notes", method: .get) }
        }
        let spans = Dictionary(uniqueKeysWithValues: tracer.finishedSpans.map { ($0.operationName, $0.spanContext) })
        #expect(try #require(spans["in the body"]).parentSpanID == #require(spans["/notes"]).spanID)
    }
}
