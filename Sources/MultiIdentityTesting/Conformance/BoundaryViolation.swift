public import MultiIdentity

/// A promise that a boundary broke: which, where, what was found, and how that is usually mended.
public struct BoundaryViolation: Error, Hashable, Sendable {
    /// An expectation or a finding.
    public enum Finding: Hashable, Sendable {
        /// A thread level; `nil` is unset.
        case identity(Identity?)
        /// Something else, in words.
        case fact(String)
    }

    /// The fate of the identity.
    public let kind: Kind
    /// The promise.
    public let promise: BoundaryPromise
    /// The name of the boundary.
    public let boundary: String
    /// The way in which the work was handed over.
    public let situation: String
    /// The finding that the promise asks for.
    public let expected: Finding
    /// The finding instead.
    public let found: Finding
    /// The change that usually mends it.
    public let mending: String

    /// The number of the promise's rule, in `Docs/Semantics.md`.
    public var rule: String { promise.rule }
}

extension BoundaryViolation: CustomStringConvertible {
    /// All of it, for people.
    public var description: String {
        """
        "\(boundary)" breaks a promise of a boundary: \(promise).
        \(situation): expected \(expected), found \(found).
        Usually mended by: \(mending)
        """
    }
}

extension BoundaryViolation.Finding: CustomStringConvertible {
    /// The identity, `unset`, or the fact.
    public var description: String {
        switch self {
        case .identity(let identity?): "\(identity)"
        case .identity(nil): "unset"
        case .fact(let words): words
        }
    }
}

extension BoundaryViolation {
    /// The fate of the identity, for code that counts or sorts violations.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Nothing was bound where somebody's identity, or nobody's, had to be.
        case lost
        /// Somebody else's was bound: the worst of all.
        case mixed
        /// It outlived its work: a worker or a caller kept it.
        case leftBehind = "left behind"
        /// Something else is wrong, as work that does not run or is still kept.
        case other
    }
}
