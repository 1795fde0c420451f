import MultiIdentity

/// The callers that share work or values in a cache, a single flight or a batcher.
public enum IdentitySharing: Hashable, Sendable {
    /// Callers with the same identity.
    case perIdentity
    /// All callers: the work runs as nobody, and has no access to what belongs to an identity.
    case shared

    /// Returns the owner of a request made here, if the owner may begin work.
    func owner() throws -> WorkOwner {
        if self == .shared { return .nobody }
        let effective = EffectiveIdentity.current(for: .files)
        try IdentityRevocation.admit(workOf: effective)
        if let owner = effective.owner { return owner }
        throw LeaseError(
            .noIdentity,
            """
            A value was requested by key and owner, but no identity is bound here. Bind one with withIdentity(_:) where the \
            work begins, or declare the values shared.
            """
        )
    }
}

/// A key and its owner.
struct OwnedKey<Key: Hashable & Sendable>: Hashable, Sendable {
    let owner: WorkOwner
    let key: Key
}
