/// The limits on a switch's waits for others: each is one on silence, so that nothing waits for good.
public struct SwitchDeadlines: Hashable, Sendable {
    /// The time that each launch check has; five minutes at first, since people are asked.
    public var check: Duration
    /// The time that all launch checks of one switch have together; ten minutes at first.
    public var allChecks: Duration
    /// The time that the delegate has; five minutes at first.
    public var delegate: Duration

    /// Deadlines; with a limit of zero or less, whatever it is for fails at once.
    ///
    /// - Parameters:
    ///   - check: The time that each launch check has.
    ///   - allChecks: The time that all launch checks of one switch have together.
    ///   - delegate: The time that the delegate has.
    public init(
        check: Duration = .seconds(300),
        allChecks: Duration = .seconds(600),
        delegate: Duration = .seconds(300)
    ) {
        self.check = check
        self.allChecks = allChecks
        self.delegate = delegate
    }
}
