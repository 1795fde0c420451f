public import MultiIdentityTesting

/// The promises that one pool keeps, and those that it does not, each with the reason; what a test asserts of it.
public struct PoolFinding: Sendable, CustomStringConvertible {
    /// The outcome of a promise.
    public enum Outcome: Sendable, Hashable {
        /// It is kept.
        case kept
        /// It is broken, for this reason.
        case broken(String)
        /// It means nothing for this pool, for this reason.
        case notApplicable(String)
    }

    /// The name of the pool.
    public let pool: String
    /// The outcome of each promise.
    public let outcomes: [PoolPromise: Outcome]

    /// The name of the pool.
    public var description: String { pool }

    /// Those of which there is an outcome, in the order of the promises.
    public var promises: [PoolPromise] { PoolPromise.allCases.filter { outcomes[$0] != nil } }

    init(_ pool: String, _ outcomes: [PoolPromise: Outcome]) {
        self.pool = pool
        self.outcomes = outcomes
    }

    /// Says what a promise came to on a pool, to be compared with what is written here.
    ///
    /// - Parameters:
    ///   - promise: The promise.
    ///   - pool: The pool, a new one.
    /// - Returns: `kept`, `broken` or `not applicable`.
    /// - Throws: What the pool throws of its own.
    public static func found(_ promise: PoolPromise, on pool: PoolConformance) async throws -> String {
        do {
            return try await promise.check(on: pool) == .kept ? "kept" : "not applicable"
        } catch is PoolViolation { return "broken" }
    }

    /// The finding that is written here, in the same words.
    ///
    /// - Parameter promise: The promise.
    /// - Returns: `kept`, `broken` or `not applicable`; nothing where nothing is written.
    public func expected(_ promise: PoolPromise) -> String? {
        switch outcomes[promise] {
        case .kept: "kept"
        case .broken: "broken"
        case .notApplicable: "not applicable"
        case nil: nil
        }
    }
}
