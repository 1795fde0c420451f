/// A reason why a switch that could be did not come about.
public enum SwitchFailure: Hashable, Sendable {
    /// A launch check was not passed.
    case check(name: String, reason: String)
    /// A launch check did not answer within its own time.
    case checkTookTooLong(name: String, limit: Duration)
    /// The launch checks together did not end in time; the one named was running or next.
    case checksTookTooLong(name: String, limit: Duration)
    /// The runtime asked for a switch, and there is nobody to ask: ``IdentitySwitcher/delegate`` is not set, or is gone.
    case noDelegate
    /// The delegate answered that the switch failed.
    case delegate(reason: String)
    /// The delegate did not answer in time.
    case delegateTookTooLong(limit: Duration)
    /// The delegate let go of the request without an answer.
    case delegateGaveNoAnswer
}

extension SwitchFailure: CustomStringConvertible {
    /// A description of the failure, and what to do.
    public var description: String {
        switch self {
        case .check(let name, let reason):
            "the launch check '\(name)' was not passed: \(reason)"
        case .checkTookTooLong(let name, let limit):
            "the launch check '\(name)' did not answer within \(limit); have it answer, or raise SwitchDeadlines.check"
        case .checksTookTooLong(let name, let limit):
            """
            the launch checks did not end within \(limit), at '\(name)'; have them answer sooner, or raise \
            SwitchDeadlines.allChecks
            """
        case .noDelegate:
            "there is no delegate to switch; set IdentitySwitcher.delegate, and keep it alive"
        case .delegate(let reason):
            "the delegate answered: \(reason)"
        case .delegateTookTooLong(let limit):
            "the delegate did not answer within \(limit); have it answer, or raise SwitchDeadlines.delegate"
        case .delegateGaveNoAnswer:
            "the delegate let go of the request unanswered; call succeed() or fail(_:) on every way"
        }
    }
}
