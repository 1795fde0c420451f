import InMemoryTracing
import MultiIdentity
import Testing
import Tracing
import TracingIdentity

@Suite("The identity in spans") struct SpanTests {
    @Test("is that of the span's work; without one the attribute is left out") func isWhoeversWork() throws {
        let tracer = InMemoryTracer()
        for identity in [try Identity("ada@contoso.com"), .nobody, nil] {
            withIdentity(identity) { tracer.withSpan("report") { span in span.recordIdentity() } }
        }
        let recorded = tracer.finishedSpans.map { $0.attributes.get("enduser.id") }
        #expect(recorded == [.string("ada@contoso.com"), nil, nil])
    }
}
