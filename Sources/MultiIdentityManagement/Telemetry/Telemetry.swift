import MultiIdentity
import MultiIdentityPolicy

/// The telemetry of a registry; there is none where it is off, so that nothing is made for it then.
struct Telemetry: Sendable {
    private let sink: any TelemetrySink
    private let mode: String
    private let environment: String

    init?(
        _ sink: (any TelemetrySink)?,
        _ configuration: ManagementConfiguration,
        _ scrubber: Scrubber,
        _ mode: AccountsMode
    ) {
        guard configuration.telemetry, let sink else { return nil }
        self.sink = sink
        self.mode = "\(mode)"
        environment = scrubber.scrubbed(configuration.telemetryEnvironment ?? "")
    }

    func launched(isManaged: Bool) { record(.launch, isManaged ? "managed" : "unmanaged") }

    /// Takes an event of this process.
    func record(_ event: AccountEvent) {
        record(event.duration == nil ? .action : .request, event.status.rawValue, event.duration)
    }

    /// Takes a change of the accounts that no event of the registry tells of.
    func record(_ change: AccountsChange) {
        switch change {
        case .registered, .deregistered, .accountsRead, .enrolled, .left: return
        case .revoked: record(.action, "revoked")
        case .readmitted: record(.action, "readmitted")
        case .policiesReplaced: record(.action, "policiesReplaced")
        }
    }

    private func record(_ family: TelemetryEvent.Family, _ outcome: String, _ duration: Duration? = nil) {
        sink.record(
            TelemetryEvent(family: family, outcome: outcome, mode: mode, environment: environment, duration: duration)
        )
    }
}
