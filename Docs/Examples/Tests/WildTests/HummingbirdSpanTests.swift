import Hummingbird
import HummingbirdTesting
import InMemoryTracing
import Testing
import Tracing

/// A request starts a span in its handler and one while its body is written: both are to be children of its own.
///
/// `TracingMiddleware` ends its span when the body has been written (`withPostWriteClosure`), and binds its context only
/// until the handler has returned.
@Suite("The TracingMiddleware of Hummingbird") struct HummingbirdSpanTests {
    @Test("does not bind its span while a streamed body is written") func streamed() async throws {
        let tracer = InMemoryTracer()
        let router = Router()
        router.addMiddleware { TracingMiddleware() }
        router.get("notes") { _, _ in
            withSpan("in the handler") { _ in }
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    withSpan("in the body") { _ in }
                    try await writer.finish(nil)
                }
            )
        }
        try await Application(router: router).test(.router) { client in
            try await withTracer(tracer) { _ = try await client.execute(uri: "/notes", method: .get) }
        }
        let spans = Dictionary(uniqueKeysWithValues: tracer.finishedSpans.map { ($0.operationName, $0.spanContext) })
        let request = try #require(spans["/notes"])
        let (handler, body) = (try #require(spans["in the handler"]), try #require(spans["in the body"]))
        #expect(handler.parentSpanID == request.spanID)
        #expect(
            body.parentSpanID == nil && body.traceID != request.traceID,
            "Hummingbird seems to have fixed this: take it out of Docs/Wild.md"
        )
    }
}
