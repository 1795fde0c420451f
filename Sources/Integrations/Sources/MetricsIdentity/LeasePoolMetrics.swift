#if Metrics
public import Metrics
public import MultiIdentityLease

/// What a pool of leases does, as metrics whose names begin with `multi_identity_pool_`.
///
/// ```swift
/// let metrics = LeasePoolMetrics(of: "notes")
/// let pool = ResourcePool(16, open: { … }, close: { $0.close() }, observer: metrics.observer)
/// metrics.record(pool.counts)  // again and again, as every ten seconds
/// ```
///
/// All have the dimension `pool`. None names an identity.
public struct LeasePoolMetrics: Sendable {
    private static let prefix = "multi_identity_pool_"

    /// Counts and times what happens in the pool that is made with it.
    public let observer: @Sendable (PoolEvent) -> Void
    private let total, leased, idle, waiting: Meter

    /// The metrics of a pool.
    ///
    /// - Parameters:
    ///   - pool: The name of the pool, to tell it from others.
    ///   - factory: The metrics; `nil` for those that the metrics system has by now.
    public init(of pool: String, factory: (any MetricsFactory)? = nil) {
        let factory = factory ?? MetricsSystem.factory
        let pool = [("pool", pool)]
        func meter(_ name: String) -> Meter { Meter(label: Self.prefix + name, dimensions: pool, factory: factory) }
        func timer(_ name: String) -> Timer { Timer(label: Self.prefix + name, dimensions: pool, factory: factory) }
        (total, leased, idle, waiting) = (meter("total"), meter("leased"), meter("idle"), meter("waiting"))
        let (waits, leases, openings) = (timer("wait_duration"), timer("lease_duration"), timer("opening_duration"))
        let count = { @Sendable (name: String, reason: String?) in
            let dimensions = pool + (reason.map { [("reason", $0)] } ?? [])
            Counter(label: Self.prefix + name, dimensions: dimensions, factory: factory).increment()
        }
        observer = { event in
            switch event {
            case .opened(let duration): openings.record(duration: duration)
            case .openingFailed: count("failed_openings", nil)
            case .leased(let duration): waits.record(duration: duration)
            case .returned(let duration): leases.record(duration: duration)
            case .refused(let error): count("refusals", "\(error.code)")
            // The lease's own reason can name an identity.
            case .closed(.lease): count("closings", "lease")
            case .closed(let reason): count("closings", "\(reason)")
            case .leaked: count("leaks", nil)
            }
        }
    }

    /// Records the numbers of resources and of those who wait.
    ///
    /// - Parameter counts: The numbers at this moment.
    public func record(_ counts: PoolCounts) {
        total.set(counts.idle + counts.leased)
        leased.set(counts.leased)
        idle.set(counts.idle)
        waiting.set(counts.waiting)
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"Metrics\"])")
#endif
