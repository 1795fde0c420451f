public import MultiIdentity

/// The answer to a question of policy, and what decided it.
///
/// ```swift
/// let decision = accounts.decide(.save(to: .localStorage), for: ada)
/// if !decision.isAllowed { logger.warning("\(decision)") }
/// ```
public struct PolicyDecision: Hashable, Sendable {
    /// Indicates whether it is allowed.
    public let isAllowed: Bool

    /// The identity that the question was about; `nil` for work that has none.
    public let identity: Identity?

    /// The rule that decided.
    public let rule: PolicyRule

    /// The owner of the policy with that rule; `nil` where that is nobody: no limits, or one that holds for all.
    public let policyOwner: Identity?

    /// The reason, for people: what was asked, and what the rule says about it.
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

    /// Throws where it is refused.
    ///
    /// - Throws: ``PolicyError`` with the code `.refused` and this decision.
    public func check() throws(PolicyError) {
        if !isAllowed { throw PolicyError(refusedBy: self) }
    }
}

extension PolicyDecision: CustomStringConvertible {
    /// `refused: … (rule saveTo.other in the policy of ada@contoso.com)`.
    public var description: String { "\(isAllowed ? "allowed" : "refused"): \(reasonAndRule)" }

    var reasonAndRule: String {
        let place = policyOwner.map { " in the policy of \($0)" } ?? ""
        return "\(reason) (rule \(rule)\(place))"
    }
}
