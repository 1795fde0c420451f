import Synchronization

/// The record that all living identities of one name share.
///
/// The registry has a weak reference, so that memory follows the living identities.
final class IdentityRecord: Sendable {
    /// The name's caseless form: equal keys, same identity.
    let key: NameKey
    private let registry: IdentityRegistry?
    /// The tally of the name's work: whether it is revoked, and how much of its work runs (``WorkTally``).
    let work = Atomic<UInt64>(0)
    /// The number of its counted captures that can still be restored (``CapturedWork``).
    let captured = Atomic<Int>(0)
    /// The word of its account, if it ever had one (``IdentityAccounting``).
    let account = Atomic<UInt64>(0)
    /// The address of its record for profilers, if it ever had one (``ThreadContext``).
    let threadContext = Atomic<UInt>(0)

    init(key: NameKey, registry: IdentityRegistry?) {
        self.key = key
        self.registry = registry
    }

    deinit {
        let context = threadContext.load(ordering: .relaxed)
        if context != 0 { IdentityPseudonyms.shared.end(context) }
        registry?.forget(key, ObjectIdentifier(self))
    }
}
