public import MultiIdentity

/// A judge of which accounts are an organisation's; only those are registered.
public protocol AccountClassifier: Sendable {
    /// Returns whether an account is a work account.
    ///
    /// - Parameter identity: The account; never nobody.
    /// - Returns: Whether it is one.
    func isWorkAccount(_ identity: Identity) -> Bool
}

/// A classifier for which every account is a work account, as on a server where all tenants are.
public struct EveryAccountIsWork: AccountClassifier {
    /// The classifier.
    public init() {}

    /// Returns `true`.
    public func isWorkAccount(_ identity: Identity) -> Bool { true }
}
