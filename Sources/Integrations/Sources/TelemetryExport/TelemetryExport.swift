#if Telemetry
public import CoreMetrics
import Metrics
public import MultiIdentityManagement
public import Tracing

/// Telemetry as metrics: a counter of events, and a timer of requests.
///
/// ```swift
/// AccountRegistry(…, configuration: configuration, telemetry: MetricsTelemetry())
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

/// Telemetry as spans of a tracer: one for each event, as long as what it tells of took.
public struct TracingTelemetry: TelemetrySink {
    private let tracer: any Tracer

    /// Telemetry as spans.
    ///
    /// - Parameter tracer: The tracer.
    public init(_ tracer: any Tracer) { self.tracer = tracer }

    /// Makes a span that ends now, by the clock of the machine.
    public func record(_ event: TelemetryEvent) {
        let end = DefaultTracerClock.now
        let (seconds, attoseconds) = (event.duration ?? .zero).components
        let length = UInt64(clamping: seconds) &* 1_000_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000)
        let begin = DefaultTracerClock.Timestamp(
            nanosecondsSinceEpoch: end.nanosecondsSinceEpoch - min(length, end.nanosecondsSinceEpoch)
        )
        record(event, by: tracer, from: begin, to: end)
    }

    private func record(
        _ event: TelemetryEvent,
        by tracer: some Tracer,
        from begin: DefaultTracerClock.Timestamp,
        to end: DefaultTracerClock.Timestamp
    ) {
        // Apart from whatever trace is current: it can be a user's.
        let span = tracer.startSpan("multi_identity.\(event.family.rawValue)", context: .topLevel, at: begin)
        span.attributes["outcome"] = event.outcome
        span.attributes["mode"] = event.mode
        span.attributes["environment"] = event.environment
        span.end(at: end)
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"Telemetry\"])")
#endif
