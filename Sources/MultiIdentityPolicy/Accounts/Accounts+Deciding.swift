public import MultiIdentity

extension Accounts {
    /// Answers a question of policy about an identity.
    ///
    /// None, nobody and unmanaged identities have no limits outward, unless work without an owner is refused here
    /// (``WorkWithoutOwner/closed``). What would come into a managed identity's space, or out of it, its policy decides
    /// too, for any work; all that have a say must allow it. Where the work's identity was inferred by automatic mode
    /// and is only shown (`IdentityInference`), a question about that identity, or about none, is refused.
    ///
    /// - Parameters:
    ///   - question: What is asked for.
    ///   - identity: The identity of the work that asks, as `EffectiveIdentity` gives it; `nil` for none.
    /// - Returns: The answer, with what decided it.
    /// - Complexity: O(1).
    public func decide(_ question: PolicyQuestion, for identity: Identity?) -> PolicyDecision {
        let decision = view.decide(question, for: identity)
        if !decision.isAllowed, let audit { audit.record(AuditEvent(decision)) }
        return decision
    }
}
