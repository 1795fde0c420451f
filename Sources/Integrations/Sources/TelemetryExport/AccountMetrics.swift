#if Telemetry
public import CoreMetrics
import Metrics
public import MultiIdentityManagement
import MultiIdentityPolicy

/// Metrics of account management in this process: `multi_identity_events` and `multi_identity_request_duration`.
///
/// ```swift
/// let metrics = AccountMetrics(registry, environment: "production")   // for as long as it is kept
/// try await registry.start()
/// ```
///
/// Both have the dimensions family (a launch, a request, or an action of the runtime), outcome, mode and environment. Each has few
/// values: none names an identity.
public struct AccountMetrics: Sendable {
    private let subscriptions: [Subscription]

    /// Starts counting and timing.
    ///
    /// - Parameters:
    ///   - registry: The registry, before its start, which is counted as well.
    ///   - environment: The name of the environment, to distinguish tests from production.
    ///   - factory: The metrics factory; `nil` for that of the metrics system.
    public init(_ registry: AccountRegistry, environment: String, factory: (any MetricsFactory)? = nil) {
        let (mode, origin) = ("\(registry.accounts.mode)", registry.origin)
        let record = { @Sendable (family: String, outcome: String, duration: Duration?) in
            let factory = factory ?? MetricsSystem.factory
            let dimensions = [("family", family), ("outcome", outcome), ("mode", mode), ("environment", environment)]
            Counter(label: "multi_identity_events", dimensions: dimensions, factory: factory).increment()
            guard let duration else { return }
            Timer(label: "multi_identity_request_duration", dimensions: dimensions, factory: factory).record(
                duration: duration
            )
        }
        subscriptions = [
            registry.onEvent { event in
                // Another process counts its own.
                guard event.origin == origin else { return }
                record(event.duration == nil ? "action" : "request", event.status.description, event.duration)
            },
            registry.accounts.onChange { [weak accounts = registry.accounts] change in
                switch change {
                case .accountsRead:
                    let isManaged = accounts?.enrolledIdentities.isEmpty == false
                    record("launch", isManaged ? "managed" : "unmanaged", nil)
                case .revoked: record("action", "revoked", nil)
                case .readmitted: record("action", "readmitted", nil)
                case .policiesReplaced: record("action", "policiesReplaced", nil)
                // Events report these.
                case .registered, .deregistered, .enrolled, .left: break
                }
            },
        ]
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"Telemetry\"])")
#endif
