public import MultiIdentity

/// Switches the UI identity: runs the launch checks of a managed identity, and sets the UI level once they have passed.
///
/// ```swift
/// switch await switcher.switchUI(to: ada) {
/// case .success: open(mailboxOf: ada)  // only now
/// case .cancelled: break
/// case .notAllowed(let error), .failed(let error): show(error.message)
/// }
/// ```
///
/// Levels have at most one switcher. While it exists, `IdentityLevels.ui` cannot be set to a managed identity directly,
/// and a revoked identity there is replaced by nobody.
public final class IdentitySwitcher: Sendable {
    /// The levels whose UI level is switched: those of the accounts.
    package let levels: IdentityLevels
    /// The time limits of a switch.
    let deadlines: SwitchDeadlines

    let accounts: any SwitchableAccounts
    let clock: SwitchClock
    let turns = SwitchTurns()
    let stays: UISuspension
    /// The mark of the UI level after the last switch.
    let lastSwitch = Locked<IdentityLevels.UIMark?>(nil)
    /// The identity that last passed the launch checks, and how long ago.
    let access = Locked<(identity: Identity, elapsed: @Sendable () -> Duration)?>(nil)
    private let checks: Locked<[LaunchCheck]>
    private let reference: WeakDelegate
    private let uiGuard: UIGuard
    private let takingOff: RevokedOffUI

    /// Creates the switcher of the accounts' levels, and guards them from now on.
    ///
    /// The current UI identity stays, unless it is revoked.
    ///
    /// - Parameters:
    ///   - accounts: The accounts: which are allowed, which are managed, and the levels.
    ///   - checks: The launch checks, in the order in which they run.
    ///   - deadlines: The time limits of a switch.
    ///   - clock: The clock of the deadlines.
    /// - Throws: ``PolicyError`` with the code `.levelsAreServed` if these levels have a switcher.
    public convenience init(
        accounts: Accounts,
        checks: [LaunchCheck] = [],
        deadlines: SwitchDeadlines = SwitchDeadlines(),
        clock: any Clock<Duration> = .continuous
    ) throws(PolicyError) {
        try self.init(of: accounts, checks: checks, deadlines: deadlines, clock: clock)
    }

    init(
        of accounts: any SwitchableAccounts,
        checks: [LaunchCheck] = [],
        deadlines: SwitchDeadlines = SwitchDeadlines(),
        clock: any Clock<Duration> = .continuous
    ) throws(PolicyError) {
        let (levels, uiGuard) = (accounts.levels, UIGuard(of: .switcher) { accounts.isManaged($0) })
        self.levels = levels
        self.deadlines = deadlines
        self.accounts = accounts
        self.clock = SwitchClock(clock)
        self.checks = Locked(checks)
        self.uiGuard = uiGuard
        stays = UISuspension(levels)
        reference = WeakDelegate()
        takingOff = RevokedOffUI(levels)
        guard levels.installUIGuard(uiGuard) else {
            throw PolicyError(
                .levelsAreServed,
                """
                Another IdentitySwitcher serves these levels; use that one, or release it first. In tests, give each switcher \
                its own levels.
                """
            )
        }
        IdentityRevocation.watch(takingOff)
    }

    deinit {
        levels.removeUIGuard(uiGuard)
        IdentityRevocation.unwatch(takingOff)
    }

    /// The delegate that is asked when the runtime needs a switch; the reference is weak.
    public var delegate: (any SwitchDelegate)? {
        get { reference.delegate }
        set { reference.delegate = newValue }
    }

    /// Adds a launch check after the existing ones, for switches whose checks have not begun.
    ///
    /// - Parameter check: The check.
    public func register(_ check: LaunchCheck) { checks.withLock { $0.append(check) } }

    var registeredChecks: [LaunchCheck] { checks.withLock { $0 } }

    /// Switches the UI level to an identity, after all switches requested earlier have ended.
    ///
    /// For a managed identity, the launch checks run first, in order. An unmanaged identity, nobody and unset have no
    /// checks. The level is set only on success, and before this returns. Cancelling the task ends the switch at once
    /// with ``SwitchResult/cancelled``; the level stays as it was, unless it has already been set.
    ///
    /// A call from inside a launch check is refused, since it would wait for itself. The caller's actor, including
    /// main, is not blocked.
    ///
    /// - Parameter identity: The identity to show; `Identity.nobody` for nobody, `nil` to unset the level.
    /// - Returns: The outcome of the switch.
    public nonisolated(nonsending) func switchUI(to identity: Identity?) async -> SwitchResult {
        await recorded(identity, "the program asked for it") { await switchNow(to: identity) }
    }

    private nonisolated(nonsending) func switchNow(to identity: Identity?) async -> SwitchResult {
        if Task.isCancelled { return .cancelled }
        if RunningSwitch.isInside(self) { return .notAllowed(.insideLaunchCheck) }
        // Checked here, before the first suspension, because it is about the calling code.
        if let bound = levels.identityAtOdds(withSwitchTo: identity) { return .notAllowed(.boundToAnother(bound)) }
        return await takeTurn(at: turns.line(), to: identity)
    }
}

extension IdentitySwitcher {
    /// Records the outcome of a switch if there is an audit sink; the actor is the caller.
    nonisolated(nonsending) func recorded(
        _ identity: Identity?,
        _ reason: @autoclosure () -> String,
        _ operation: nonisolated(nonsending) () async -> SwitchResult
    ) async -> SwitchResult {
        guard let audit = accounts.audit else { return await operation() }
        let asked = AuditEvent(.switched, of: identity, because: reason())
        let result = await operation()
        audit.record(
            result == .success ? asked : asked.ended(.notSwitched, because: "\(asked.reason); \(result)")
        )
        return result
    }
}

/// Replaces a revoked identity on the UI level by nobody.
final class RevokedOffUI: RevocationWatcher {
    private let levels: IdentityLevels

    init(_ levels: IdentityLevels) { self.levels = levels }

    func note(_ event: RevocationEvent) {
        if case .revoked(let identity, _) = event { levels.takeOffUI(identity) }
    }

    func notify() {}
}
