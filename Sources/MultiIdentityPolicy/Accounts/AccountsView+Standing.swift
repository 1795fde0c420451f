import MultiIdentity

extension AccountsView {
    /// What an identity is to the policies, from which every answer is derived.
    enum Standing {
        /// No policy applies: it was never seen, or is gone, and is refused as revoked then.
        case unmanaged
        case managed(Policy)
        /// It is managed but may not be used: nothing is allowed.
        case withoutPolicy(Absence)
    }

    /// The reason why there is no policy, in words that end a sentence about an identity.
    enum Absence: String {
        case otherName = "it is an alias of an account"
        case notRead = "the registered accounts have not been read: AccountRegistry.start() has not returned"
        case notEnrolled = "it is registered but not enrolled"
        case blocked = "its service has not confirmed a policy for too long"
        case notAllowed = "it is not on the list of allowed accounts"
        case noPolicy = "the policy source has none for it"
    }

    func standing(of identity: Identity) -> Standing {
        if identity.isNobody { return .unmanaged }
        if IdentityRevocation.isRevoked(identity) {
            // Nothing is allowed under an alias, so it is managed, through its account.
            if IdentityRevocation.account(named: identity) != nil { return .withoutPolicy(.otherName) }
            // Not by the source, which still names identities that were signed out or wiped.
            if IdentityRevocation.hasDeparted(identity) { return .unmanaged }
        }
        if registered.contains(identity) { return .withoutPolicy(.notEnrolled) }
        let own = mode == .multi ? policies.ownPolicy(of: identity) : nil
        if own == nil, !enrolled.contains(identity) { return isRead ? .unmanaged : .withoutPolicy(.notRead) }
        if blocked.contains(identity) { return .withoutPolicy(.blocked) }
        guard policies.allows(identity) else { return .withoutPolicy(.notAllowed) }
        guard let policy = own ?? policies.policy(of: identity) else { return .withoutPolicy(.noPolicy) }
        return .managed(policy)
    }
}
