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
        /// Writes the finding to standard error and, for those of the process, how often each was found when the program exits.
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
    ///
    /// Code that asks for an identity is reported once for each place; ``findings`` says how often. Setting the response starts
    /// these counts again.
    public var response: Response {
        get { settings.response as? Response ?? .log }
        nonmutating set { settings.respond(by: newValue) }
    }

    /// The findings of code that asked for an identity: the first of each place, with its count, the most frequent first.
    ///
    /// A place is the asking function, and the function in which its work began. The findings of all places after the first 1,000
    /// are reported, and not counted.
    public var findings: [IdentityFinding] { settings.findings.map(IdentityFinding.init) }
}

extension IdentityDiagnostics {
    /// Runs code that may ask for an identity where there is none, such as a metadata provider of logs, without findings.
    ///
    /// Tasks that it starts are exempt until it ends, work that it hands to a queue or thread is not.
    ///
    /// - Parameter operation: The work; it runs at once, on this thread.
    /// - Returns: The result of `operation`.
    /// - Throws: The error that `operation` throws.
    public static func exempting<Value>(_ operation: () throws -> Value) rethrows -> Value {
        try FindingExemption.run(operation)
    }

    /// Runs asynchronous code, such as a program's start, without findings.
    ///
    /// Tasks that it starts are exempt until it ends, work that it hands to a queue or thread is not.
    ///
    /// - Parameter operation: The work.
    /// - Returns: The result of `operation`.
    /// - Throws: The error that `operation` throws.
    public nonisolated(nonsending) static func exempting<Value>(
        _ operation: nonisolated(nonsending) () async throws -> Value
    ) async rethrows -> Value {
        try await FindingExemption.run(operation)
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
