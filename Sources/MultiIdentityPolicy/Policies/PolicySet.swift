public import MultiIdentity

/// All policies that are in force together; a source replaces them all at once.
public struct PolicySet: Hashable, Sendable {
    /// The policies of identities that have their own; nobody never has one.
    public var policies: [Identity: Policy]

    /// The policy of enrolled identities that have no policy of their own; if `nil`, they cannot be enrolled.
    public var standard: Policy?

    /// The accounts that may be used here at all: `nil` is no limit, and an empty set allows none.
    public var allowedAccounts: Set<Identity>?

    /// Creates a set of policies.
    ///
    /// - Parameters:
    ///   - policies: The policies of identities that have their own.
    ///   - standard: The policy of enrolled identities that have no policy of their own.
    ///   - allowedAccounts: The accounts that may be used here at all; `nil` is no limit.
    public init(
        _ policies: [Identity: Policy] = [:],
        standard: Policy? = nil,
        allowedAccounts: Set<Identity>? = nil
    ) {
        self.policies = policies
        self.standard = standard
        self.allowedAccounts = allowedAccounts
    }

    /// Returns the policy that applies to an identity if it is managed: its own, otherwise the standard one.
    public func policy(of identity: Identity) -> Policy? { ownPolicy(of: identity) ?? standard }

    /// Returns the policy under the identity's own name, or the one of its aliases; if those differ, nothing is allowed.
    ///
    /// Computed when needed, since aliases can be added after the set.
    func ownPolicy(of identity: Identity) -> Policy? {
        if let policy = policies[identity] { return policy }
        let others = Set(IdentityRevocation.otherNames(of: identity).compactMap { policies[$0] })
        return others.count > 1 ? .nothing : others.first
    }

    /// Returns whether an identity is on the list of allowed accounts, or there is no list.
    func allows(_ identity: Identity) -> Bool {
        guard let allowed = allowedAccounts else { return true }
        return identity.isAmong(allowed)
    }
}

extension Identity {
    /// Returns whether a set contains the identity, under its own name or an alias.
    func isAmong(_ identities: Set<Identity>) -> Bool {
        identities.contains(self) || !IdentityRevocation.otherNames(of: self).isDisjoint(with: identities)
    }
}
