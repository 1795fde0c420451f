public import MultiIdentity

/// The owner of a file, as recorded when the file was made.
///
/// A `FileOwner?` of `nil` means that the file exists but has no record, because it was made without this API.
public enum FileOwner: Hashable, Sendable {
    /// The file was made while no level was set.
    case unset
    /// The file was made under nobody.
    case nobody
    /// The file belongs to this identity.
    case identity(Identity)

    /// Creates the owner of a file that work with an effective identity makes.
    ///
    /// - Parameter identity: The effective identity; `nil` if no level is set.
    public init(_ identity: Identity?) {
        switch identity {
        case nil: self = .unset
        case .some(let identity): self = identity.isNobody ? .nobody : .identity(identity)
        }
    }

    /// The owner as an effective identity: `Identity.nobody` for ``nobody``, `nil` for ``unset``.
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
