#if Telemetry
public import MultiIdentityManagement
public import Tracing

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
#endif
