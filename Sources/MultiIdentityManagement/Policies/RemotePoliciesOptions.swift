/// The settings of policies from a service.
public struct RemotePoliciesOptions: Hashable, Sendable {
    /// The maximum time since the service last confirmed the policies; `nil` is no limit.
    public var maximumAge: Duration? = .seconds(86_400)
    /// Indicates whether policies older than ``maximumAge`` allow nothing until the service confirms them.
    ///
    /// Otherwise they stay in force. An event reports their age in both cases.
    public var closesWhenTooOld = true
    /// The time that the service may wait for new policies.
    public var wait = Duration.seconds(50)
    /// The time limit for an answer beyond ``wait``, whatever the transport does.
    public var answerLimit = Duration.seconds(30)
    /// The minimum time between two requests, for services that do not wait.
    package var minInterval = Duration.seconds(10)
    /// The delay after a first failure; it doubles with each further failure, up to ``maxBackoff``.
    package var initialBackoff = Duration.seconds(1)
    /// The maximum delay after a failure.
    package var maxBackoff = Duration.seconds(300)

    /// Creates the default settings.
    public init() {}
}
