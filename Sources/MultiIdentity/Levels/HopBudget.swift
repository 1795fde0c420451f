/// A limit on how far work may come from the scope that bound its identity.
///
/// A piece of work that hands itself over again, or a timer that was never cancelled, carries its first request's
/// identity for ever. A budget finds it:
///
/// ```swift
/// IdentityDiagnostics.shared.budget = HopBudget(hops: 1_000, age: .seconds(3_600))
/// ```
public struct HopBudget: Hashable, Sendable {
    /// The fate of work beyond the budget; it runs in either case, since work is never lost.
    public enum Excess: Hashable, Sendable {
        /// It runs as before, and a finding tells of it once a scope.
        case isReported
        /// It is reported, and runs as nobody from then on.
        case runsAsNobody
    }

    /// The greatest number of hand-overs one after another, or `nil` for any number.
    public var hops: Int?
    /// The longest time since the scope began, or `nil` for any time.
    public var age: Duration?
    /// The fate of work beyond it.
    public var excess: Excess

    /// A budget.
    ///
    /// - Parameters:
    ///   - hops: How many hand-overs after another, or `nil` for any number.
    ///   - age: How long after the scope began, or `nil` for any time.
    ///   - excess: What becomes of work beyond it.
    public init(hops: Int? = nil, age: Duration? = nil, excess: Excess = .isReported) {
        self.hops = hops
        self.age = age
        self.excess = excess
    }

    /// Returns the limit that is exceeded, in words; `nil` if none is.
    func exceeded(by journey: Journey) -> String? {
        if let hops, journey.count > hops { return "\(journey.count) hops, beyond the \(hops) of its budget" }
        let age = journey.began.age
        if let limit = self.age, age > limit {
            return "\(age.formattedSeconds), beyond the \(limit.formattedSeconds) of its budget"
        }
        return nil
    }
}
