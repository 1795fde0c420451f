public import MultiIdentity

extension Accounts {
    /// The accounts that may be used here at all: `nil` is no limit, and an empty set allows none.
    public var allowedAccounts: Set<Identity>? { source.current.allowedAccounts }

    /// Decides whether an account may be used here, managed or not; nobody is not an account and is always allowed.
    ///
    /// - Parameter account: The account.
    /// - Returns: The answer, with the rule that decided.
    /// - Complexity: O(1).
    public func allows(_ account: Identity) -> PolicyDecision {
        if account.isNobody {
            return PolicyDecision(
                true,
                for: account,
                by: .unlimited,
                of: nil,
                "nobody is not an account, and no list limits it"
            )
        }
        if IdentityRevocation.account(named: account) != nil {
            let owner = RevokedOwner(of: account)
            return PolicyDecision(
                false,
                for: account,
                by: .revoked,
                of: nil,
                "\(account) may not be used, since it \(owner.why); \(owner.remedy)"
            )
        }
        let policies = source.current
        guard let allowed = policies.allowedAccounts else {
            return PolicyDecision(
                true,
                for: account,
                by: .allowedAccounts,
                of: nil,
                "\(account) may be used, since no list limits the accounts"
            )
        }
        let isAllowed = policies.allows(account)
        return PolicyDecision(
            isAllowed,
            for: account,
            by: .allowedAccounts,
            of: nil,
            isAllowed
                ? "\(account) may be used, since it is on the list of allowed accounts"
                : "\(account) may not be used, since it is not on the list of allowed accounts, which has \(allowed.count)"
        )
    }

    /// Calls `changed` once for each change of the allowed accounts from now on, in order, under the identity bound here.
    ///
    /// The new list is already in force; `nil` is no limit. A list with the same accounts, in another order or
    /// spelling, is not a change.
    ///
    /// - Parameter changed: Called until the subscription is cancelled or dropped.
    /// - Returns: The subscription; keep it.
    public func onAllowedAccountsChange(
        _ changed: @escaping @Sendable (_ before: Set<Identity>?, _ now: Set<Identity>?) -> Void
    ) -> Subscription {
        source.subscribe { before, now in
            if before.allowedAccounts != now.allowedAccounts { changed(before.allowedAccounts, now.allowedAccounts) }
        }
    }
}
