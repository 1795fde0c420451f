import MultiIdentity

/// Things that are kept or done once for many callers, by keys that name their owner: a cache, a single flight, a batcher.
///
/// Work is joined within one identity only, or is declared to be shared, and then runs as nobody.
public enum IdentityKeyed: Sendable {
    /// The callers that join each other's work.
    public enum Sharing: Hashable, Sendable {
        /// Those of one identity, each identity by itself.
        case withinIdentity
        /// All of them: the work runs as nobody, and can have nothing that belongs to somebody.
        case amongAll
    }

    /// A key and its owner.
    struct OwnedKey<Key: Hashable & Sendable>: Hashable, Sendable {
        let owner: WorkOwner
        let key: Key
    }
}

extension IdentityKeyed.Sharing {
    /// Returns the owner that is asked for here, who may begin work.
    func owner() throws -> WorkOwner {
        if self == .amongAll { return .nobody }
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
