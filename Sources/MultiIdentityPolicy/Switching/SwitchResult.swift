/// The outcome of a switch of the UI identity; each switch has exactly one.
///
/// Only after ``success`` does the UI level hold the identity; after anything else it is as it was.
public enum SwitchResult: Hashable, Sendable {
    /// The UI level holds the identity; its data may be opened.
    case success
    /// The task that asked was cancelled, or the user backed out of a launch check.
    case cancelled
    /// The switch was not to be: by its code, the asker is bound to another identity, the account is not allowed or revoked, or a
    /// launch check asked.
    case notAllowed(PolicyError)
    /// The switch could be, and did not come about: a launch check or the delegate failed, or took too long.
    case failed(PolicyError)
}

extension SwitchResult: CustomStringConvertible {
    /// The result and, where there is one, its reason.
    public var description: String {
        switch self {
        case .success: "success"
        case .cancelled: "cancelled"
        case .notAllowed(let refusal): "not allowed: \(refusal.message)"
        case .failed(let failure): "failed: \(failure.message)"
        }
    }
}
