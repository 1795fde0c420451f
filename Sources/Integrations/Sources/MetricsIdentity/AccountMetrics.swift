#if Metrics
public import Metrics
public import MultiIdentityDiagnostics

extension IdentityDimension {
    /// Records whose processor time it was, as the meter `multi_identity_cpu_seconds`, with the dimension `identity`.
    ///
    /// ```swift
    /// largest.record(IdentityAccounts.snapshot())  // again and again, as every ten seconds
    /// ```
    ///
    /// Its values are the named identities, `other`, `none`, `jobs`, `between pieces` and `not attributed`; their sum is the process's time.
    ///
    /// - Parameters:
    ///   - accounts: The accounts at this moment.
    ///   - factory: The metrics; `nil` for those that the metrics system has by now.
    public func record(_ accounts: IdentityAccounts.Snapshot, factory: (any MetricsFactory)? = nil) {
        var seconds: [String: Double] = [:]
        for (holder, cpu) in accounts.byHolder {
            let value =
                switch holder {
                case .identity(let identity): value(for: identity)
                case .unset: value(for: nil)
                case .jobs: "jobs"
                case .others: "other"
                case .betweenPieces: "between pieces"
                case .notAttributed: "not attributed"
                }
            seconds[value, default: 0] += cpu / .seconds(1)
        }
        for (value, seconds) in seconds {
            let dimensions = [("identity", value)]
            let factory = factory ?? MetricsSystem.factory
            Meter(label: "multi_identity_cpu_seconds", dimensions: dimensions, factory: factory).set(seconds)
        }
    }
}
#endif
