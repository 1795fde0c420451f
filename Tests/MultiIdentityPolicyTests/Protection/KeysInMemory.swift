import MultiIdentity

@testable import MultiIdentityProtection

/// A program's own provider of keys, which keeps them in memory.
final class KeysInMemory: IdentityKeyProvider {
    private let keys = Locked<[Identity: [IdentityKey]]>([:])
    private let destroyed = Locked<Set<IdentityKeyID>>([])

    func currentKey(for identity: Identity) throws(ProtectionError) -> IdentityKey {
        if let key = keys.withLock({ $0[identity]?.last }) { return key }
        try rotateKey(of: identity)
        return try currentKey(for: identity)
    }

    func key(_ id: IdentityKeyID, of identity: Identity) throws(ProtectionError) -> IdentityKey {
        if destroyed.withLock({ $0.contains(id) }) { throw .destroyed(id, of: identity) }
        guard let key = keys.withLock({ $0[identity]?.first { $0.id == id } }) else { throw .unknown(id, of: identity) }
        return key
    }

    func hasKeys(of identity: Identity) -> Bool { keys.withLock { $0[identity] != nil } }

    @discardableResult func rotateKey(of identity: Identity) throws(ProtectionError) -> IdentityKeyID {
        let key = try IdentityKey.random()
        add(key, of: identity)
        return key.id
    }

    func destroyKeys(of identity: Identity) {
        let gone = keys.withLock { $0.removeValue(forKey: identity)?.map(\.id) ?? [] }
        destroyed.withLock { $0.formUnion(gone) }
    }

    func add(_ key: IdentityKey, of identity: Identity) { keys.withLock { $0[identity, default: []].append(key) } }
}
