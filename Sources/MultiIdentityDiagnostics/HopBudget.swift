import MultiIdentity

/// A limit on how far work may get from the scope that bound its identity.
///
/// A piece of work that submits itself again, or a timer that was never cancelled, carries its first request's identity for
/// ever. A budget finds it:
///
/// ```swift
/// IdentityDiagnostics.shared.budget = HopBudget(hops: 1_000, age: .seconds(3_600))
/// ```
public struct HopBudget: Hashable, Sendable {
    /// What happens to work beyond the budget; it runs in either case, since work is never lost.
    public enum Excess: Hashable, Sendable {
        /// It runs as before, and is reported once per scope.
        case isReported
        /// It is reported, and runs as nobody from then on.
        case runsAsNobody
    }

    /// The maximum number of consecutive hand-overs, or `nil` for any number.
    public var hops: Int?
    /// The maximum time since the scope began, or `nil` for any time.
    public var age: Duration?
    /// What happens to work beyond it.
    public var excess: Excess

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - hops: The maximum number of consecutive hand-overs, or `nil` for any number.
    ///   - age: The maximum time since the scope began, or `nil` for any time.
    ///   - excess: What happens to work beyond it.
    public init(hops: Int? = nil, age: Duration? = nil, excess: Excess = .isReported) {
        self.hops = hops
        self.age = age
        self.excess = excess
    }

    init(_ limit: HopLimit) {
        self.init(hops: limit.hops, age: limit.age, excess: limit.endsIdentity ? .runsAsNobody : .isReported)
    }

    var limit: HopLimit { HopLimit(hops: hops, age: age, endsIdentity: excess == .runsAsNobody) }
}
