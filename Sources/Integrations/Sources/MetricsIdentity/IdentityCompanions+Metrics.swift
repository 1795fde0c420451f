#if Metrics
import Metrics
public import MultiIdentity

extension IdentityCompanions {
    /// Has the factory of metrics cross every boundary with the identity, as `withMetricsFactory` bound it where work is
    /// handed over.
    public static func carryMetricsFactory() {
        carry("swift-metrics") {
            MetricsSystem.factory
        } binding: { factory, work in
            withMetricsFactory(factory, work)
        } bindingAsync: { factory, work in
            await withMetricsFactory(factory, work)
        }
    }
}
#endif
