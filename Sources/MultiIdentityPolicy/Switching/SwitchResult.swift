/// The outcome of a switch of the UI identity.
///
/// After ``success`` the UI level is set to the identity; after any other outcome of a switch it is unchanged.
public enum SwitchResult: Hashable, Sendable {
    /// The UI level is set to the identity; its data may be opened.
    case success
    /// The task was cancelled, or the user cancelled a launch check.
    case cancelled
    /// The switch was refused: the caller is bound to another identity, the account is revoked or not allowed, or a
    /// launch check asked.
    case notAllowed(PolicyError)
    /// The switch failed: a launch check or the delegate failed or timed out.
    case failed(PolicyError)
}

extension SwitchResult: CustomStringConvertible {
    /// The result and its reason, if there is one.
    public var description: String {
        switch self {
        case .success: "success"
        case .cancelled: "cancelled"
        case .notAllowed(let refusal): "not allowed: \(refusal.message)"
        case .failed(let failure): "failed: \(failure.message)"
        }
    }
}
