/// The time limits of a switch, and the time for which its checks are valid.
public struct SwitchDeadlines: Hashable, Sendable {
    /// The time limit for each launch check; five minutes by default, since people are asked.
    public var check: Duration
    /// The time limit for all launch checks of one switch together; ten minutes by default.
    public var allChecks: Duration
    /// The time limit for the delegate; five minutes by default.
    public var delegate: Duration
    /// The time after which the launch checks of the shown managed identity are due again (``IdentitySwitcher/run()``).
    ///
    /// By default it is `nil`: the checks run once for each switch.
    public var access: Duration?

    /// Creates time limits; a limit of zero or less fails at once.
    ///
    /// - Parameters:
    ///   - check: The time limit for each launch check.
    ///   - allChecks: The time limit for all launch checks of one switch together.
    ///   - delegate: The time limit for the delegate.
    ///   - access: The time after which launch checks are due again.
    public init(
        check: Duration = .seconds(300),
        allChecks: Duration = .seconds(600),
        delegate: Duration = .seconds(300),
        access: Duration? = nil
    ) {
        self.check = check
        self.allChecks = allChecks
        self.delegate = delegate
        self.access = access
    }
}
