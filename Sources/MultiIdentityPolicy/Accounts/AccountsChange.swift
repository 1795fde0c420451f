public import MultiIdentity

/// A change that a decision about an account can depend on.
public enum AccountsChange: Hashable, Sendable {
    /// A registry has added the account: it is managed, and nothing is allowed until it is enrolled.
    case registered(Identity)
    /// A registry has removed the account.
    case deregistered(Identity)
    /// A registry has read its accounts: accounts that it lacks are not managed.
    case accountsRead
    /// The user was enrolled.
    case enrolled(Identity)
    /// The user was unenrolled or signed out, or all of the user's data was wiped.
    case left(Identity)
    /// The identity was signed out, or its wipe began: its new work is refused, and it is removed from every level.
    case revoked(Identity, for: IdentityRevocation.Reason)
    /// The identity may work again.
    case readmitted(Identity)
    /// The set of policies or the list of allowed accounts was replaced.
    case policiesReplaced
}

extension AccountsChange: CustomStringConvertible {
    /// The change and its identity in words, such as `ada@contoso.com left`.
    public var description: String {
        switch self {
        case .registered(let identity): "\(identity) was registered"
        case .deregistered(let identity): "\(identity) was deregistered"
        case .accountsRead: "accounts read"
        case .enrolled(let identity): "\(identity) was enrolled"
        case .left(let identity): "\(identity) left"
        case .revoked(let identity, let reason): "\(identity) was revoked: \(reason)"
        case .readmitted(let identity): "\(identity) was readmitted"
        case .policiesReplaced: "policies replaced"
        }
    }
}

extension AuditEvent {
    /// Creates the audit event of a change, whose actor is the caller; `nil` if a registry has its own event of it.
    init?(_ change: AccountsChange) {
        let (kind, identity): (Kind, Identity?)
        switch change {
        case .registered, .deregistered, .accountsRead: return nil
        case .enrolled(let account): (kind, identity) = (.enrolled, account)
        case .left(let account): (kind, identity) = (.left, account)
        case .revoked(let account, _): (kind, identity) = (.revoked, account)
        case .readmitted(let account): (kind, identity) = (.readmitted, account)
        case .policiesReplaced: (kind, identity) = (.policiesReplaced, nil)
        }
        self.init(kind, of: identity, because: "\(change)")
    }
}
