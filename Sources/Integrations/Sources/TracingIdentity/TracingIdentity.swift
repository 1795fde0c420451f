#if Tracing
@_exported public import MultiIdentity
public import Tracing

extension Span {
    /// Names the current identity in this span, as OpenTelemetry's attribute `enduser.id`.
    ///
    /// A span is kept or dropped as a whole, so any number of users does no harm here, unlike in a metric. Without a bound
    /// identity the attribute is left out.
    public func recordIdentity() {
        if let identity = Identity.current, !identity.isNobody { attributes["enduser.id"] = identity.name }
    }
}

extension Tracer {
    /// Names the current identity in the current span.
    ///
    /// It does nothing where this tracer cannot find a span by its context, or the span has ended.
    public func recordIdentity() {
        if let context = ServiceContext.current { activeSpan(identifiedBy: context)?.recordIdentity() }
    }
}

extension IdentityCompanions {
    /// Has `ServiceContext.current` and the tracer of `withTracer` cross every boundary with the identity.
    ///
    /// A queue, an operation and a timer lose both: spans begun there would have no parent, and go to the bootstrapped
    /// tracer. Work captured without a tracer keeps the one that is in effect where it runs.
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
