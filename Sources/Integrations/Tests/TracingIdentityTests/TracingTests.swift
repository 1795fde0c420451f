import Dispatch
import InMemoryTracing
import Testing
import Tracing
import TracingIdentity

@Suite("Identities and traces") struct TracingTests {
    init() { IdentityCompanions.carryTracing() }

    @Test("a span names the identity of its work, and has no attribute without one")
    func spansNameTheIdentity() throws {
        let tracer = InMemoryTracer()
        for identity in [try Identity("ada@contoso.com"), .nobody, nil] {
            withIdentity(identity) { tracer.withSpan("by the span") { span in span.recordIdentity() } }
            withIdentity(identity) { tracer.withSpan("by the tracer") { _ in tracer.recordIdentity() } }
        }
        tracer.recordIdentity()  // outside of any span
        let recorded = tracer.finishedSpans.map { $0.attributes.get("enduser.id") }
        let ada = SpanAttribute.string("ada@contoso.com")
        #expect(recorded == [ada, ada, nil, nil, nil, nil])
    }

    @Test("the tracer of `withTracer` and the span cross a queue, where a plain queue loses both") func cross() async {
        let (tracer, other) = (InMemoryTracer(), InMemoryTracer())
        func begin(_ name: String, on handOver: (@escaping @Sendable () -> Void) -> Void) async {
            await withCheckedContinuation { continuation in
                handOver {
                    withSpan(name) { _ in }
                    continuation.resume()
                }
            }
        }
        let queue = DispatchQueue(label: "plain")
        await withTracer(tracer) {
            await withSpan("outer") { _ in
                await begin("carried") { queue.propagatingIdentity.async(execute: $0) }
                await begin("lost") { queue.async(execute: $0) }
                await begin("nested") { work in
                    let snapshot = IdentitySnapshot.capture()
                    withTracer(other) { snapshot.wrap(work)() }
                }
            }
        }
        #expect(Set(tracer.finishedSpans.map(\.operationName)) == ["outer", "carried", "nested"])
        #expect(other.finishedSpans.isEmpty)
        let outer = tracer.finishedSpans.first { $0.operationName == "outer" }
        let inner = tracer.finishedSpans.filter { $0.operationName != "outer" }
        #expect(inner.allSatisfy { $0.parentSpanID == outer?.spanID })
    }
}
