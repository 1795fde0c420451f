import MultiIdentity

/// The callers that join each other's work in a cache, a single flight or a batcher.
public enum IdentitySharing: Hashable, Sendable {
    /// Those of one identity, each identity by itself.
    case perIdentity
    /// All of them: the work runs as nobody, and can have nothing that belongs to somebody.
    case shared

    /// Returns the owner that is asked for here, who may begin work.
    func owner() throws -> WorkOwner {
        if self == .shared { return .nobody }
        let effective = EffectiveIdentity.current(for: .files)
        try IdentityRevocation.admit(workOf: effective)
        if let owner = effective.owner {
            try owner.admit()
            return owner
        }
        throw LeaseError(
            .noIdentity,
            """
            A value was asked for by its key and owner, and no identity is bound here. Bind one with withIdentity(_:) where \
            the work begins, or declare the values to be shared among all.
            """
        )
    }
}
