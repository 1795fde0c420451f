/// Something that happened in the runtime, without whom it happened to: for counting and timing.
public struct TelemetryEvent: Hashable, Sendable {
    /// The kinds of events.
    public enum Family: String, Hashable, Sendable, CaseIterable {
        /// The registry started; the outcome says whether anybody is managed.
        case launch
        /// A request to the service ended.
        case request
        /// The runtime did something by itself: somebody left, was revoked, readmitted or wiped, or policies were replaced.
        case action
    }

    /// The kind of event.
    public let family: Family
    /// The outcome: of a launch `managed` or `unmanaged`, else the status or change by its name.
    public let outcome: String
    /// The number of users that the process can have, by the name of its ``ManagementConfiguration/mode``.
    public let mode: String
    /// The environment, as ``ManagementConfiguration/telemetryEnvironment`` names it.
    public let environment: String
    /// The time that it took; `nil` where it takes none.
    public let duration: Duration?
}

/// A receiver of telemetry, as one that counts and times with swift-metrics.
public protocol TelemetrySink: Sendable {
    /// Takes an event, once, on any thread; it is to return at once.
    ///
    /// - Parameter event: The event.
    func record(_ event: TelemetryEvent)
}
