public import MultiIdentity

extension Accounts {
    /// Decides a policy question about an identity.
    ///
    /// Work without an identity, nobody and unmanaged identities have no limits on what they send out, unless work
    /// without an owner is refused (``UnownedWork/refused``). Data that would enter or leave the space of a managed
    /// identity is also subject to that identity's policy, whatever work moves it. Every policy involved must allow the
    /// operation. If automatic mode only inferred the work's identity for display (`IdentityInference`), a question
    /// about that identity, or about none, is refused.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - identity: The effective identity of the work that asks (`EffectiveIdentity`); `nil` for none.
    /// - Returns: The answer, with the rule that decided.
    /// - Complexity: O(1).
    public func decide(_ question: PolicyQuestion, for identity: Identity?) -> PolicyDecision {
        let decision = view.decide(question, for: identity)
        if !decision.isAllowed, let audit { audit.record(AuditEvent(decision)) }
        return decision
    }
}
