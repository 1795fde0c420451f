import MultiIdentity

/// A key and its owner.
struct OwnedKey<Key: Hashable & Sendable>: Hashable, Sendable {
    let owner: WorkOwner
    let key: Key
}
