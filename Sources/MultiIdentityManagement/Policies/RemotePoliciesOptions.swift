/// The settings of policies from a service.
public struct RemotePoliciesOptions: Hashable, Sendable {
    /// The rule for policies that the service has not confirmed for too long.
    public enum WhenTooOld: Hashable, Sendable, CaseIterable {
        /// The policies stay in force, and an event reports their age.
        case warn
        /// Every policy allows nothing until the service answers.
        case closed
    }

    /// The maximum time since the service last confirmed the policies; `nil` is no limit.
    public var maximumAge: Duration? = .seconds(86_400)
    /// The rule for policies that are older.
    public var whenTooOld = WhenTooOld.closed
    /// The time that the service may wait for new policies.
    public var wait = Duration.seconds(50)
    /// The time limit for an answer beyond ``wait``, whatever the transport does.
    public var answerLimit = Duration.seconds(30)
    /// The minimum time between two requests, for services that do not wait.
    public var leastInterval = Duration.seconds(10)
    /// The delay after a first failure; it doubles with each further failure, up to ``longestPause``.
    public var firstPause = Duration.seconds(1)
    /// The maximum delay after a failure.
    public var longestPause = Duration.seconds(300)

    /// Creates the default settings.
    public init() {}
}
