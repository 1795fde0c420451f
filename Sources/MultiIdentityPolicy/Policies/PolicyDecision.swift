public import MultiIdentity

/// The answer to a policy question, with the rule that decided.
///
/// ```swift
/// let decision = accounts.decide(.save(to: .localStorage), for: ada)
/// if !decision.isAllowed { logger.warning("\(decision)") }
/// ```
public struct PolicyDecision: Hashable, Sendable {
    /// Indicates whether the operation is allowed.
    public let isAllowed: Bool

    /// The identity that the question was about; `nil` for work that has none.
    public let identity: Identity?

    /// The rule that decided.
    public let rule: PolicyRule

    /// The identity whose policy contains the rule; `nil` if no policy applies, or if the rule is for all identities.
    public let policyOwner: Identity?

    /// The reason in words: what was asked, and what the rule says about it.
    public let reason: String

    init(_ isAllowed: Bool, for identity: Identity?, by rule: PolicyRule, of policyOwner: Identity?, _ reason: String) {
        self.isAllowed = isAllowed
        self.identity = identity
        self.rule = rule
        self.policyOwner = policyOwner
        self.reason = reason
    }

    /// The answer of a policy decision point.
    package init(
        _ isAllowed: Bool,
        _ question: PolicyQuestion,
        _ identity: Identity?,
        byDecisionPoint remark: String
    ) {
        let who = identity?.description ?? "work without an identity"
        let reason = "\(who) \(isAllowed ? "may" : "may not") \(question): of the decision point, \(remark)"
        self.init(isAllowed, for: identity, by: .decisionPoint, of: nil, reason)
    }

    /// Throws if the decision is a refusal.
    ///
    /// - Throws: ``PolicyError`` with the code `.refused` and this decision.
    public func check() throws(PolicyError) {
        if !isAllowed { throw PolicyError(refusedBy: self) }
    }
}

extension PolicyDecision: CustomStringConvertible {
    /// The decision in words, such as `refused: … (rule saveTo.other in the policy of ada@contoso.com)`.
    public var description: String { "\(isAllowed ? "allowed" : "refused"): \(reasonAndRule)" }

    var reasonAndRule: String {
        let place = policyOwner.map { " in the policy of \($0)" } ?? ""
        return "\(reason) (rule \(rule)\(place))"
    }
}
