public import MultiIdentity

/// Something changed that a decision about an account can depend on.
public enum AccountsChange: Hashable, Sendable {
    /// The user was enrolled.
    case enrolled(Identity)
    /// The user left: was unenrolled or signed out, or all of their data is wiped.
    case left(Identity)
    /// The identity was signed out, or its wipe began: it gets no new work, and is on no level any more.
    case revoked(Identity, for: IdentityRevocation.Reason)
    /// The identity may work again.
    case readmitted(Identity)
    /// Another set of policies is in force, or another list of allowed accounts.
    case policiesReplaced
}

extension AccountsChange: CustomStringConvertible {
    /// The change, with its identity: `ada@contoso.com left`.
    public var description: String {
        switch self {
        case .enrolled(let identity): "\(identity) was enrolled"
        case .left(let identity): "\(identity) left"
        case .revoked(let identity, let reason): "\(identity) was revoked: \(reason)"
        case .readmitted(let identity): "\(identity) was readmitted"
        case .policiesReplaced: "policies replaced"
        }
    }
}
