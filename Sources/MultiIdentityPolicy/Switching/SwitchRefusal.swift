public import MultiIdentity

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
            "the identity is revoked; sign it in anew before it is shown"
        case .insideLaunchCheck:
            """
            a launch check of a running switch asked for it, and would wait for itself; let the check answer first, and \
            switch afterwards
            """
        }
    }
}
