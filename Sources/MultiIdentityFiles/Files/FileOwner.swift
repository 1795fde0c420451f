public import MultiIdentity

/// The owner of a file, as it was recorded when the file was made.
///
/// That a file was never recorded, since it was made behind the runtime's back, is no owner at all: `nil` of
/// `FileOwner?`.
public enum FileOwner: Hashable, Sendable {
    /// It was made under no identity: no level was set.
    case unset
    /// It was made under nobody.
    case nobody
    /// It is this identity's.
    case identity(Identity)

    /// The owner that an effective identity makes.
    ///
    /// - Parameter identity: Whom work counts as; `nil` where no level is set.
    public init(_ identity: Identity?) {
        switch identity {
        case nil: self = .unset
        case .some(let identity): self = identity.isNobody ? .nobody : .identity(identity)
        }
    }

    /// The effective identity that makes this owner, so that nobody stays nobody: `nil` where none was set.
    public var identity: Identity? {
        switch self {
        case .unset: nil
        case .nobody: .nobody
        case .identity(let identity): identity
        }
    }
}

extension FileOwner: CustomStringConvertible {
    /// The name, `(nobody)` or `(unset)`.
    public var description: String {
        switch self {
        case .unset: "(unset)"
        case .nobody: "(nobody)"
        case .identity(let identity): identity.description
        }
    }
}
