/// Settings for the run-time checks of a program and their reports; everything is off by default.
///
/// Each set of levels has its own diagnostics: ``shared`` belongs to the process, and those of a test's custom levels only
/// report work under these levels.
///
/// ```swift
/// IdentityDiagnostics.shared.strictness = [.requirements, .reads]
/// IdentityDiagnostics.shared.response = .report { finding in logger.warning("\(finding)") }
/// ```
public final class IdentityDiagnostics: Sendable {
    /// The checks of strict mode.
    public struct Strictness: OptionSet, Sendable {
        /// The bits of the set.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        ///
        /// - Parameter rawValue: The bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Reports `Identity.required()` if no identity is bound.
        public static let requirements = Strictness(rawValue: 1 << 0)
        /// Reports `Identity.current` if no identity is bound, and `EffectiveIdentity.current(for:)` if no level is set.
        public static let reads = Strictness(rawValue: 1 << 1)
        /// Reports work that runs as an identity more than ``IdentityDiagnostics/grace`` after its scope ended.
        public static let outlivedScopes = Strictness(rawValue: 1 << 2)
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

    private struct State {
        var strictness: Strictness = []
        var grace = Duration.seconds(60)
        var budget: HopBudget?
        var watchesWorkers = false
        var response = Response.log
    }

    private let state = Locked(State())

    init() {}

    deinit {
        strictness = []
        budget = nil
        watchesWorkers = false
    }

    /// The diagnostics of the process.
    public static var shared: IdentityDiagnostics { IdentityLevels.shared.diagnostics }

    /// The checks of strict mode; none by default.
    public var strictness: Strictness {
        get { state.withLock { $0.strictness } }
        set {
            change(.strictness, isInUse: { !$0.strictness.isEmpty }) { $0.strictness = newValue }
        }
    }

    /// The time after the end of its scope in which work may still run unreported; one minute by default.
    public var grace: Duration {
        get { state.withLock { $0.grace } }
        set { state.withLock { $0.grace = newValue } }
    }

    /// The limit on how far work may get from its scope; none by default.
    public var budget: HopBudget? {
        get { state.withLock { $0.budget } }
        set { change(.budgets, isInUse: { $0.budget != nil }) { $0.budget = newValue } }
    }

    /// Indicates whether each worker's binding is checked after each piece of work; for stress and debug builds.
    public var watchesWorkers: Bool {
        get { state.withLock { $0.watchesWorkers } }
        set { change(.sentinel, isInUse: { $0.watchesWorkers }) { $0.watchesWorkers = newValue } }
    }

    /// The response to a finding; `.log` by default.
    public var response: Response {
        get { state.withLock { $0.response } }
        set { state.withLock { $0.response = newValue } }
    }

    /// Changes the state, and updates the process-wide count of diagnostics that use a feature.
    private func change(
        _ feature: BindingFeatures,
        isInUse: @Sendable (State) -> Bool,
        _ change: @Sendable (inout State) -> Void
    ) {
        let (before, after) = state.withLock { state in
            let before = isInUse(state)
            change(&state)
            return (before, isInUse(state))
        }
        if before != after { FeatureUses.shared.count(feature, by: after ? 1 : -1) }
    }

    func notify(_ finding: @autoclosure () -> IdentityFinding) {
        let response = response
        let finding = finding()
        // Under levels without diagnostics: the response itself must not cause findings.
        ThreadMirror.current().under(IdentityLevels()).bind { () -> Void in
            switch response {
            case .log: StandardError.print("\(finding)")
            case .report(let report): report(finding)
            case .trap: fatalError("\(finding)")
            }
        }
    }
}

/// The number of diagnostics that use each feature; the process pays for a feature while any does.
private final class FeatureUses: Sendable {
    static let shared = FeatureUses()

    private let uses = Locked<[UInt32: Int]>([:])

    func count(_ feature: BindingFeatures, by change: Int) {
        uses.withLock { uses in
            let count = (uses[feature.rawValue] ?? 0) + change
            uses[feature.rawValue] = count
            BindingFeatures.set(feature, to: count > 0)
        }
    }
}
