public import MultiIdentity

extension Accounts {
    /// The accounts that may be used here at all: `nil` is no limit, and an empty set allows none.
    public var allowedAccounts: Set<Identity>? { source.current.allowedAccounts }

    /// Whether an account may be used here at all, managed or not; nobody is no account, and may always be switched to.
    ///
    /// - Parameter account: Which account.
    /// - Returns: The answer, with what decided it.
    /// - Complexity: O(1).
    public func allows(_ account: Identity) -> PolicyDecision {
        if account.isNobody {
            return PolicyDecision(
                true,
                for: account,
                by: .unlimited,
                of: nil,
                "nobody is no account, which no list limits"
            )
        }
        guard let allowed = allowedAccounts else {
            return PolicyDecision(
                true,
                for: account,
                by: .allowedAccounts,
                of: nil,
                "\(account) may be used, since no list limits the accounts"
            )
        }
        let isAllowed = allowed.contains(account)
        return PolicyDecision(
            isAllowed,
            for: account,
            by: .allowedAccounts,
            of: nil,
            isAllowed
                ? "\(account) may be used, since it is one of the \(allowed.count) allowed accounts"
                : "\(account) may not be used, since it is none of the \(allowed.count) allowed accounts"
        )
    }
}
