public import MultiIdentity
public import MultiIdentityPolicy

/// A policy decision point, asked by AuthZEN (OpenID's Authorization API 1.0): it can refuse what the policies here allow, and allows
/// nothing that they refuse.
///
/// ```swift
/// let point = PolicyDecisionPoint(transport)
/// try await point.decide(.save(to: .localStorage), for: .current, in: accounts).check()
/// ```
///
/// Each decision is one request. One that is not answered in time, or by what is no answer, is a refusal.
public struct PolicyDecisionPoint: Sendable {
    private let transport: any DecisionTransport
    private let limit: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// A policy decision point.
    ///
    /// - Parameters:
    ///   - transport: The way to it.
    ///   - limit: The longest time that an answer may take.
    ///   - clock: The clock for that.
    public init<Time: Clock>(
        _ transport: any DecisionTransport,
        limit: Duration = .seconds(2),
        clock: Time = ContinuousClock()
    ) where Time.Duration == Duration {
        self.transport = transport
        self.limit = limit
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    }

    /// Answers a question of policy about an identity: first by the policies here, then by the decision point.
    ///
    /// Where that allows it, the policies are asked again: they can have changed in the meantime.
    ///
    /// - Parameters:
    ///   - question: The request.
    ///   - identity: The identity of the work that asks; `nil` for none.
    ///   - accounts: The accounts: their policies and revocations have to allow it too.
    /// - Returns: The answer, with the rule `PolicyRule.decisionPoint` where the decision point decided.
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
                // Revoked, or under another policy by now.
                let now = accounts.decide(question, for: identity)
                return now.isAllowed ? PolicyDecision(true, question, identity, byDecisionPoint: answer.reason) : now
            }
            remark = answer.reason
        } catch is TimeLimit.Exceeded {
            remark = "it did not answer in time"
        } catch is PolicyTextError {
            remark = "it gave no answer that can be read"
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
        } operation: { [transport] in
            try await transport.evaluate(request.json)
        }
    }
}

/// A way to a policy decision point: posts a request to its `/access/v1/evaluation`.
public protocol DecisionTransport: Sendable {
    /// Has a request evaluated.
    ///
    /// - Parameter request: The body, in JSON.
    /// - Returns: The body of an answer with status 200.
    /// - Throws: What keeps it from answering, another status among it.
    func evaluate(_ request: [UInt8]) async throws -> [UInt8]
}
