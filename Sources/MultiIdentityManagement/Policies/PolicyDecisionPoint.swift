public import MultiIdentity
public import MultiIdentityPolicy

/// An external policy decision point, asked over AuthZEN (OpenID's Authorization API 1.0).
///
/// It can refuse what the local policies allow, but cannot allow what they refuse.
///
/// ```swift
/// let point = PolicyDecisionPoint(evaluate)
/// try await point.decide(.save(to: .localStorage), for: .current, in: accounts).check()
/// ```
///
/// A decision takes at most one request. A late or invalid answer is a refusal.
public struct PolicyDecisionPoint: Sendable {
    private let evaluate: @Sendable ([UInt8]) async throws -> [UInt8]
    private let limit: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a policy decision point.
    ///
    /// - Parameters:
    ///   - evaluate: Posts a request to the decision point, and returns the body of the answer.
    ///   - limit: The time limit for an answer.
    ///   - clock: The clock of the time limit.
    public init<Time: Clock>(
        _ evaluate: @escaping @Sendable (_ request: [UInt8]) async throws -> [UInt8],
        limit: Duration = .seconds(2),
        clock: Time = ContinuousClock()
    ) where Time.Duration == Duration {
        self.evaluate = evaluate
        self.limit = limit
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    }

    /// Decides a policy question about an identity, first by the local policies, then by the decision point.
    ///
    /// If the decision point allows it, the local policies are asked again, since they may have changed meanwhile.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - identity: The identity of the work that asks; `nil` for none.
    ///   - accounts: The accounts, whose policies and revocations must allow it too.
    /// - Returns: The answer, with the rule `PolicyRule.decisionPoint` if the decision point decided.
    public func decide(
        _ question: PolicyQuestion,
        for identity: Identity?,
        in accounts: Accounts
    ) async -> PolicyDecision {
        let here = accounts.decide(question, for: identity)
        guard here.isAllowed else { return here }
        let request = DecisionRequest(question, identity, isManaged: identity.map(accounts.isManaged) ?? false)
        let remark: String
        do {
            let answer = try DecisionAnswer(try await ask(request))
            if answer.isAllowed {
                // By now it may be revoked, or under another policy.
                let now = accounts.decide(question, for: identity)
                return now.isAllowed ? PolicyDecision(true, question, identity, byDecisionPoint: answer.reason) : now
            }
            remark = answer.reason
        } catch is TimeLimit.Exceeded {
            remark = "it did not answer in time"
        } catch is PolicyTextError {
            remark = "its answer could not be read"
        } catch {
            remark = "it could not be asked: an error of type \(type(of: error))"
        }
        let decision = PolicyDecision(false, question, identity, byDecisionPoint: remark)
        accounts.audit?.record(AuditEvent(decision))
        return decision
    }

    private func ask(_ request: DecisionRequest) async throws -> [UInt8] {
        try await TimeLimit.run { [sleep, limit] in
            try await sleep(limit)
        } operation: { [evaluate] in
            try await evaluate(request.json)
        }
    }
}
