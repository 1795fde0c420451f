public import MultiIdentity

/// Settings for the run-time checks of a program and their reports; everything is off by default.
///
/// Each set of levels has its own diagnostics: ``shared`` belongs to the process, and those of a test's custom levels only
/// report work under these levels.
///
/// ```swift
/// IdentityDiagnostics.shared.strictness = [.requirements, .reads]
/// IdentityDiagnostics.shared.response = .report { finding in logger.warning("\(finding)") }
/// ```
public struct IdentityDiagnostics: Sendable {
    /// The checks of strict mode.
    public enum Check: Hashable, Sendable {
        /// Reports `Identity.required()` if no identity is bound.
        case requirements
        /// Reports `Identity.current` if no identity is bound, and `EffectiveIdentity.current(for:)` if no level is set.
        case reads
        /// Reports work that runs as an identity more than ``IdentityDiagnostics/grace`` after its scope ended.
        case outlivedScopes

        static let inCore: [(Check, DiagnosticSettings.Strictness)] = [
            (.requirements, .requirements), (.reads, .reads), (.outlivedScopes, .outlivedScopes),
        ]
    }

    /// The response to a finding.
    public enum Response: Sendable {
        /// Writes the finding to standard error.
        case log
        /// Passes the finding to a function, which runs at once, on the thread that found it, under the identity bound there.
        case report(@Sendable (IdentityFinding) -> Void)
        /// Stops the program, with the finding as its message.
        case trap
    }

    let settings: DiagnosticSettings

    /// The diagnostics of the process.
    public static var shared: IdentityDiagnostics { IdentityLevels.shared.diagnostics }

    /// The checks of strict mode; none by default.
    public var strictness: Set<Check> {
        get { Set(Check.inCore.filter { settings.strictness.contains($0.1) }.map(\.0)) }
        nonmutating set {
            let checks = Check.inCore.filter { newValue.contains($0.0) }.map(\.1)
            settings.change { $0.strictness = DiagnosticSettings.Strictness(checks) }
        }
    }

    /// The time for which work may run unreported after its scope has ended; one minute by default.
    public var grace: Duration {
        get { settings.grace }
        nonmutating set { settings.change { $0.grace = newValue } }
    }

    /// The limit on how far work may get from its scope; none by default.
    public var budget: HopBudget? {
        get { settings.limit.map(HopBudget.init) }
        nonmutating set { settings.change { $0.limit = newValue?.limit } }
    }

    /// Indicates whether each worker's binding is checked after each piece of work; for stress tests and debug builds.
    public var watchesWorkers: Bool {
        get { settings.watchesWorkers }
        nonmutating set { settings.change { $0.watchesWorkers = newValue } }
    }

    /// The response to a finding; `.log` by default.
    public var response: Response {
        get { settings.response as? Response ?? .log }
        nonmutating set { settings.change { $0.response = newValue } }
    }
}

extension IdentityDiagnostics.Response: FindingResponse {
    package func respond(to finding: Finding) {
        switch self {
        case .log: finding.log()
        case .report(let report): report(IdentityFinding(finding))
        case .trap: fatalError("\(finding)")
        }
    }
}

extension IdentityLevels {
    /// The diagnostics of work under these levels.
    public var diagnostics: IdentityDiagnostics { IdentityDiagnostics(settings: diagnosticSettings) }
}
