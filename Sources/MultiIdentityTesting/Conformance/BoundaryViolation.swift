package import MultiIdentity

/// A promise that a boundary broke: which one, where, what was found, and the usual fix.
public struct BoundaryViolation: Error, Hashable, Sendable {
    /// An expectation or a finding.
    package enum Finding: Hashable, Sendable {
        /// A thread level; `nil` is unset.
        case identity(Identity?)
        /// Something else, in words.
        case fact(String)
    }

    /// What happened to the identity.
    package let kind: Kind
    /// The broken promise.
    public let promise: BoundaryPromise
    /// The name of the boundary.
    package let boundary: String
    /// How the work was handed over.
    package let situation: String
    /// The finding that the promise requires.
    package let expected: Finding
    /// The actual finding.
    package let found: Finding
    /// The usual fix.
    package let mending: String

    /// The number of the promise's rule in `Docs/Semantics.md`.
    package var rule: String { promise.rule }
}

extension BoundaryViolation: CustomStringConvertible {
    /// The complete violation, as text.
    public var description: String {
        """
        "\(boundary)" breaks a promise of a boundary: \(promise).
        \(situation): expected \(expected), found \(found).
        Usual fix: \(mending)
        """
    }
}

extension BoundaryViolation.Finding: CustomStringConvertible {
    /// The identity, `unset`, or the fact.
    package var description: String {
        switch self {
        case .identity(let identity?): "\(identity)"
        case .identity(nil): "unset"
        case .fact(let words): words
        }
    }
}

extension BoundaryViolation {
    /// What happened to the identity, for code that counts or sorts violations.
    package enum Kind: String, Sendable, Hashable {
        /// Nothing was bound where an identity or nobody had to be.
        case lost
        /// Another identity was bound: the worst case.
        case mixed
        /// The identity outlived its work: a worker or a caller kept it.
        case leftBehind = "left behind"
        /// Something else is wrong, such as work that does not run or is still kept.
        case other
    }
}
