/// The limits on a switch's waits for others, and on what a switch is good for: nothing waits for good.
public struct SwitchDeadlines: Hashable, Sendable {
    /// The time that each launch check has; five minutes at first, since people are asked.
    public var check: Duration
    /// The time that all launch checks of one switch have together; ten minutes at first.
    public var allChecks: Duration
    /// The time that the delegate has; five minutes at first.
    public var delegate: Duration
    /// The time after which the launch checks of a managed identity that is shown are due again (``IdentitySwitcher/run()``); `nil`
    /// at first: they run once for each switch.
    public var access: Duration?

    /// Deadlines; with a limit of zero or less, whatever it is for fails at once.
    ///
    /// - Parameters:
    ///   - check: The time that each launch check has.
    ///   - allChecks: The time that all launch checks of one switch have together.
    ///   - delegate: The time that the delegate has.
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
