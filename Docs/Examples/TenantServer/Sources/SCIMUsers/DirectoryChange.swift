public import MultiIdentity

/// A change of who exists, for the program to act on.
public enum DirectoryChange: Hashable, Sendable {
    /// The user is there and active: created, activated, or come by this name.
    case exists(Identity)
    /// Nobody active has this name any more: deactivated, deleted, or renamed.
    case left(Identity)

    /// The identity.
    public var identity: Identity {
        switch self {
        case .exists(let identity), .left(let identity): identity
        }
    }
}

extension DirectoryChange {
    /// The changes from one state of a user to another; `nil` is no user.
    static func between(_ old: UserAttributes?, _ new: UserAttributes?) -> [DirectoryChange] {
        var changes: [DirectoryChange] = []
        let isSame = old != nil && old?.identity == new?.identity
        if let old, !isSame { changes.append(.left(old.identity)) }
        if let new, !isSame || old?.isActive != new.isActive {
            changes.append(new.isActive ? .exists(new.identity) : .left(new.identity))
        }
        return changes
    }
}
