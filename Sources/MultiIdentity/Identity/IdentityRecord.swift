import Synchronization

/// The record that all living identities of one name share.
///
/// Kept weakly by the registry, so that memory follows the identities alive now.
final class IdentityRecord: Sendable {
    /// The name's caseless form: equal keys, same identity.
    let key: NameKey
    private let registry: IdentityRegistry?
    /// The tally of the name's work: whether it is revoked, and how much work of it runs (``WorkTally``).
    let work = Atomic<UInt64>(0)
    /// The number of captures of it that can still be restored, as far as they are counted (``CapturedWork``).
    let captured = Atomic<Int>(0)

    init(key: NameKey, registry: IdentityRegistry?) {
        self.key = key
        self.registry = registry
    }

    deinit {
        registry?.forget(key, ObjectIdentifier(self))
    }
}
