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

extension AuditEvent {
    /// A change, as an auditor hears of it; its actor is who brings it about here.
    init(_ change: AccountsChange) {
        let (kind, identity): (Kind, Identity?) =
            switch change {
            case .enrolled(let identity): (.enrolled, identity)
            case .left(let identity): (.left, identity)
            case .revoked(let identity, _): (.revoked, identity)
            case .readmitted(let identity): (.readmitted, identity)
            case .policiesReplaced: (.policiesReplaced, nil)
            }
        self.init(kind, of: identity, because: "\(change)")
    }
}
