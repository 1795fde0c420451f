public import MultiIdentity

extension Accounts: SwitchableAccounts {
    /// Returns why the list of allowed accounts is against a switch to an account, or `nil` where it is not.
    public func switchRefusal(of identity: Identity) -> String? {
        let decision = allows(identity)
        return decision.isAllowed ? nil : decision.reason
    }
}
