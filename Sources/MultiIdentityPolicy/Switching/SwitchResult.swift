public import MultiIdentity

/// The outcome of a switch of the UI identity; each switch has exactly one.
///
/// Only after ``success`` does the UI level hold the identity; after anything else it is as it was.
public enum SwitchResult: Hashable, Sendable {
    /// The UI level holds the identity; its data may be opened.
    case success
    /// The task that asked was cancelled, or the user backed out of a launch check.
    case cancelled
    /// The switch was not to be.
    case notAllowed(SwitchRefusal)
    /// The switch could be, and did not come about.
    case failed(SwitchFailure)
}

extension SwitchResult: CustomStringConvertible {
    /// The result and, where there is one, its reason.
    public var description: String {
        switch self {
        case .success: "success"
        case .cancelled: "cancelled"
        case .notAllowed(let refusal): "not allowed: \(refusal)"
        case .failed(let failure): "failed: \(failure)"
        }
    }
}

/// A reason why a switch was not to be.
public enum SwitchRefusal: Hashable, Sendable {
    /// Code on main asked that counts as somebody else: this identity is bound there.
    case boundToAnother(Identity)
    /// The policy refuses the account.
    case accountNotAllowed(reason: String)
    /// The identity is revoked: signed out, or being wiped.
    case revoked
    /// A launch check of a running switch asked, which would have waited for itself.
    case insideLaunchCheck
}

extension SwitchRefusal: CustomStringConvertible {
    /// A description of the refusal, and what to do.
    public var description: String {
        switch self {
        case .boundToAnother(let identity):
            """
            it was asked for on main by code that is bound to \(identity), and would go on as that; ask outside of that \
            scope, or inside withIdentity(nil)
            """
        case .accountNotAllowed(let reason):
            "the policy refuses the account: \(reason)"
        case .revoked:
            "the identity is revoked; sign it in again before it is shown"
        case .insideLaunchCheck:
            """
            a launch check of a running switch asked for it, and would wait for itself; let the check answer first, and \
            switch afterwards
            """
        }
    }
}

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
