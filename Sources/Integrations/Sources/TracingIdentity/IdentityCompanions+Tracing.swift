#if Tracing
public import MultiIdentity
import Tracing

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
#endif
