/// The settings of policies from a service.
public struct RemotePoliciesOptions: Hashable, Sendable {
    /// The rule for policies that the service has not confirmed for too long.
    public enum WhenTooOld: Hashable, Sendable, CaseIterable {
        /// They stay in force, and an event tells of it.
        case warn
        /// Every policy allows nothing, until the service answers.
        case closed
    }

    /// The longest time since the service last confirmed the policies; `nil` is no limit.
    public var maximumAge: Duration? = .seconds(86_400)
    /// The rule for those that are older.
    public var whenTooOld = WhenTooOld.closed
    /// The time that the service may wait until it has others.
    public var wait = Duration.seconds(50)
    /// The longest time that an answer may take beyond ``wait``, whatever the transport does.
    public var answerLimit = Duration.seconds(30)
    /// The least time from one question to the next, for services that do not wait.
    public var leastInterval = Duration.seconds(10)
    /// The time after a first failure; it doubles with each further one, up to ``longestPause``.
    public var firstPause = Duration.seconds(1)
    /// The longest time after a failure.
    public var longestPause = Duration.seconds(300)

    /// The settings as they are by default.
    public init() {}
}
