public import MultiIdentity

/// Says which accounts may be switched to, and for which of them launch checks run.
public protocol SwitchableAccounts: ManagedIdentities {
    /// The levels on which these accounts are shown, always the same: code that needs levels takes them from here.
    var levels: IdentityLevels { get }

    /// Returns why the policy refuses a switch to an account now, or `nil` where it allows it.
    ///
    /// It is asked for every named identity, managed or not: when the switch's turn comes, and again right before the
    /// level is set.
    func switchRefusal(of identity: Identity) -> String?
}

extension Accounts: SwitchableAccounts {
    /// Returns why the list of allowed accounts is against a switch to an account, or `nil` where it is not.
    public func switchRefusal(of identity: Identity) -> String? {
        let decision = allows(identity)
        return decision.isAllowed ? nil : decision.reason
    }
}
