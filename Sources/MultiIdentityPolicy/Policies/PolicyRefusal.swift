/// Something was refused by a policy.
public struct PolicyRefusal: Error, Hashable, Sendable {
    /// The decision: about whom, by which rule and why.
    public let decision: PolicyDecision

    init(decision: PolicyDecision) { self.decision = decision }
}

extension PolicyRefusal: CustomStringConvertible {
    /// The decision.
    public var description: String { decision.description }
}
