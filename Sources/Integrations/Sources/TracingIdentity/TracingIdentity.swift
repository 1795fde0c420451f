#if Tracing
@_exported public import MultiIdentity
public import Tracing

extension Span {
    /// Names the current identity in this span, as OpenTelemetry's attribute `enduser.id`.
    ///
    /// A span is kept or dropped as a whole, so any number of users is harmless, unlike in a metric. Without a bound
    /// identity the attribute is omitted.
    public func recordIdentity() {
        if let identity = Identity.current, !identity.isNobody { attributes["enduser.id"] = identity.name }
    }
}

extension Tracer {
    /// Names the current identity in the current span.
    ///
    /// It does nothing if this tracer cannot find a span by its context, or the span has ended.
    public func recordIdentity() {
        if let context = ServiceContext.current { activeSpan(identifiedBy: context)?.recordIdentity() }
    }
}

extension IdentityCompanions {
    /// Makes `ServiceContext.current` and the tracer of `withTracer` cross every boundary with the identity.
    ///
    /// Queues, operations and timers lose both: spans begun there would have no parent, and use the bootstrapped
    /// tracer. Work captured without a tracer uses the one that is in effect where it runs.
    public static func carryTracing() {
        carry(ServiceContext.$current)
        // `withTracer` binds a task-local that has no public name. A bootstrapped tracer is found here as well, and bound again.
        carry("swift-distributed-tracing") {
            InstrumentationSystem.instrument as? any Tracer
        } binding: { tracer, work in
            if let tracer { withTracer(tracer, work) } else { work() }
        } bindingAsync: { tracer, work in
            if let tracer { await withTracer(tracer, work) } else { await work() }
        }
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"Tracing\"])")
#endif
