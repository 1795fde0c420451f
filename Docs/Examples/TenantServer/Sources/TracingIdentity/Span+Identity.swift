import MultiIdentity
public import Tracing

extension Span {
    /// Names the current identity in this span, as OpenTelemetry's attribute `enduser.id`.
    ///
    /// A span is kept or dropped as a whole, so that any number of users does no harm here, unlike in a metric. Where no
    /// identity is bound, the attribute is left out.
    public func recordIdentity() {
        if let identity = Identity.current, !identity.isNobody { attributes["enduser.id"] = identity.name }
    }
}
