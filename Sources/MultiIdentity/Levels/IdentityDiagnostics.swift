/// Settings of what the runtime looks for while a program runs, and whom it notifies; all of it is off at first.
///
/// Diagnostics belong to levels: ``shared`` to the process, and a test that has levels of its own has diagnostics of its
/// own, which tell of work under these levels alone.
///
/// ```swift
/// IdentityDiagnostics.shared.strictness = [.requirements, .reads]
/// IdentityDiagnostics.shared.response = .report { finding in logger.warning("\(finding)") }
/// ```
public final class IdentityDiagnostics: Sendable {
    /// The checks of strict mode.
    public struct Strictness: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// A set of them by its bits.
        ///
        /// - Parameter rawValue: The bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `Identity.required()` where none is bound.
        public static let requirements = Strictness(rawValue: 1 << 0)
        /// `Identity.current` where none is bound, and `EffectiveIdentity.current(for:)` where no level is set.
        public static let reads = Strictness(rawValue: 1 << 1)
        /// Work that runs as an identity more than ``IdentityDiagnostics/grace`` after its scope ended.
        public static let outlivedScopes = Strictness(rawValue: 1 << 2)
    }

    /// The response to a finding.
    public enum Response: Sendable {
        /// It is written to the standard error.
        case log
        /// It is given to a function, which runs at once, on the thread that found it, under the identity bound there.
        case report(@Sendable (IdentityFinding) -> Void)
        /// It stops the program, with the finding as its message.
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

    /// The checks of strict mode; none at first.
    public var strictness: Strictness {
        get { state.withLock { $0.strictness } }
        set {
            change(.strictness, isInUse: { !$0.strictness.isEmpty }) { $0.strictness = newValue }
        }
    }

    /// The time after the end of its scope in which work may still run unreported; a minute at first.
    public var grace: Duration {
        get { state.withLock { $0.grace } }
        set { state.withLock { $0.grace = newValue } }
    }

    /// The limit on how far work may come from its scope; none at first.
    public var budget: HopBudget? {
        get { state.withLock { $0.budget } }
        set { change(.budgets, isInUse: { $0.budget != nil }) { $0.budget = newValue } }
    }

    /// Indicates whether each worker is checked to come back as it was after each piece of work; for stress and debug builds.
    public var watchesWorkers: Bool {
        get { state.withLock { $0.watchesWorkers } }
        set { change(.sentinel, isInUse: { $0.watchesWorkers }) { $0.watchesWorkers = newValue } }
    }

    /// The response to a finding; it is logged at first.
    public var response: Response {
        get { state.withLock { $0.response } }
        set { state.withLock { $0.response = newValue } }
    }

    /// Changes the state, and counts for the process whether anybody uses a feature.
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
        // Under levels that tell nobody: what the response asks for is not to be found wanting again.
        ThreadMirror.current().under(IdentityLevels()).bind { () -> Void in
            switch response {
            case .log: StandardError.print("\(finding)")
            case .report(let report): report(finding)
            case .trap: fatalError("\(finding)")
            }
        }
    }
}

/// The number of diagnostics that use each feature; the process pays for it while any does.
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
