import MultiIdentity

/// The state of ``Accounts`` at one moment: every question is answered from one view, never from two.
struct AccountsView: Sendable {
    let mode: AccountsMode
    let withoutOwner: WorkWithoutOwner
    let policies: PolicySet
    let enrolled: Set<Identity>

    func isManaged(_ identity: Identity) -> Bool {
        if identity.isNobody { return false }
        // Under another name of an account nothing is allowed, and so it is managed: by that account.
        if IdentityRevocation.account(named: identity) != nil { return true }
        // Not asked of the source, which goes on naming who was signed out or wiped.
        if IdentityRevocation.hasDeparted(identity) { return false }
        if enrolled.contains(identity) { return true }
        return mode == .multi && policies.ownPolicy(of: identity) != nil
    }

    /// The policy of an identity; `nil` for none, for nobody, and for one that is not managed.
    func policy(of identity: Identity?) -> Policy? {
        guard let identity, isManaged(identity) else { return nil }
        if IdentityRevocation.account(named: identity) != nil { return .nothing }
        // Enrolled, and its policy has gone since: what nothing allows is refused, until it leaves or has a policy again.
        return policies.policy(of: identity) ?? .nothing
    }
}
