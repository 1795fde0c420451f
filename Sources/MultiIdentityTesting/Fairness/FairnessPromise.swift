/// A promise of a queue that serves its identities in turn, besides those of every boundary.
///
/// ```swift
/// let queue = IdentityQueue(label: "mine", draining: .fairly())
/// let mine = BoundaryConformance("my queue") { queue.async(execute: $0) }
/// for promise in FairnessPromise.allCases { try await promise.check(on: mine, places: 1) }
/// ```
public enum FairnessPromise: String, Sendable, Hashable, CaseIterable {
    /// However long one identity's line is, another's work runs after a bounded number of its pieces.
    case keepsNobodyWaiting
    /// The work of one identity begins in the order in which it was handed over.
    case keepsOrderWithinAnIdentity
}

extension FairnessPromise: CustomStringConvertible {
    /// The promise as a sentence.
    public var description: String {
        switch self {
        case .keepsNobodyWaiting: "one identity's long line keeps no other identity waiting"
        case .keepsOrderWithinAnIdentity: "the work of one identity begins in the order in which it was handed over"
        }
    }
}

/// A promise that a fair queue broke: which one, where, and what was found.
public struct FairnessViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The broken promise.
    public let promise: FairnessPromise
    /// The name of the queue.
    package let queue: String
    /// What was found.
    package let found: String

    /// The complete violation, as text.
    public var description: String { "\"\(queue)\" breaks a promise of a fair queue: \(promise).\nFound: \(found)." }
}
