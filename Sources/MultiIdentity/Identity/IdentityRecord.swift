/// What all living identities of one name share.
///
/// Held weakly by the registry, so that memory follows the identities alive now; what revoking and draining need will
/// stand here.
final class IdentityRecord: Sendable {
    /// The name's caseless form: equal keys, same identity.
    let key: NameKey
    private let registry: IdentityRegistry?

    init(key: NameKey, registry: IdentityRegistry?) {
        self.key = key
        self.registry = registry
    }

    deinit {
        registry?.forget(key, ObjectIdentifier(self))
    }
}
