import Synchronization

/// What all living identities of one name share.
///
/// Held weakly by the registry, so that memory follows the identities alive now.
final class IdentityRecord: Sendable {
    /// The name's caseless form: equal keys, same identity.
    let key: NameKey
    private let registry: IdentityRegistry?
    /// Whether the name is revoked, and how much work of it runs (``WorkTally``).
    let work = Atomic<UInt64>(0)
    /// How many captures of it can still be restored, as far as they are counted (``CapturedWork``).
    let captured = Atomic<Int>(0)

    init(key: NameKey, registry: IdentityRegistry?) {
        self.key = key
        self.registry = registry
    }

    deinit {
        registry?.forget(key, ObjectIdentifier(self))
    }
}
