#if Telemetry
public import CoreMetrics
import Metrics
public import MultiIdentityManagement

/// Telemetry as metrics: a counter of events, and a timer of requests.
///
/// ```swift
/// AccountRegistry(…, settings: settings, telemetry: MetricsTelemetry())
/// ```
///
/// Both have the dimensions family, outcome, mode and environment, each of which has few values: no event names an identity.
public struct MetricsTelemetry: TelemetrySink {
    /// The label of the counter.
    public static let counterLabel = "multi_identity_events"
    /// The label of the timer.
    public static let timerLabel = "multi_identity_request_duration"

    private let factory: (any MetricsFactory)?

    /// Telemetry as metrics.
    ///
    /// - Parameter factory: The metrics; `nil` for those of the metrics system.
    public init(factory: (any MetricsFactory)? = nil) { self.factory = factory }

    /// Counts an event, and times it if it took time.
    public func record(_ event: TelemetryEvent) {
        let factory = factory ?? MetricsSystem.factory
        let dimensions = [
            ("family", event.family.rawValue), ("outcome", event.outcome), ("mode", event.mode),
            ("environment", event.environment),
        ]
        Counter(label: Self.counterLabel, dimensions: dimensions, factory: factory).increment()
        guard let duration = event.duration else { return }
        Timer(label: Self.timerLabel, dimensions: dimensions, factory: factory).record(duration: duration)
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"Telemetry\"])")
#endif
