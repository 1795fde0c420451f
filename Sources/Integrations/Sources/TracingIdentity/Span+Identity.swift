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
#else
#error("This product needs its trait: .package(path: …, traits: [\"Tracing\"])")
#endif
