package import MultiIdentity

/// What a switcher needs of ``Accounts``: which accounts may be shown, and which need launch checks.
package protocol SwitchableAccounts: ManagedIdentities {
    /// The levels on which these accounts are shown, always the same: code that needs levels takes them from here.
    var levels: IdentityLevels { get }

    /// Returns why the policy refuses a switch to an account now; `nil` if it is allowed.
    ///
    /// It is asked for every named identity, managed or not: when the switch's turn comes, and again right before the
    /// level is set.
    func switchRefusal(of identity: Identity) -> String?
}

extension Accounts: SwitchableAccounts {
    /// Returns why an account may not be switched to: it is blocked, or not among the allowed accounts; `nil` if it may.
    package func switchRefusal(of identity: Identity) -> String? {
        if isBlocked(identity) { return "\(identity) is blocked, since \(AccountsView.Absence.blocked.rawValue)" }
        let decision = allows(identity)
        return decision.isAllowed ? nil : decision.reason
    }
}
