public import MultiIdentity

/// A source of identities' keys: ``KeyFile``, or a custom one, such as for a key management service.
///
/// It is called from any thread, outside any lock, and may block.
public protocol IdentityKeyProvider: Sendable {
    /// Returns the key to protect an identity's data with, and creates it if there is none.
    ///
    /// It must ask `IdentityRevocation` for admission, so that a wipe misses no key.
    ///
    /// - Parameter identity: The owner of the data; never nobody.
    /// - Returns: The key.
    /// - Throws: ``ProtectionError``; with `.revoked` if the identity is not admitted.
    func currentKey(for identity: Identity) throws(ProtectionError) -> IdentityKey

    /// Returns the key that data were protected with: the current one, or one before a rotation.
    ///
    /// It does not ask for admission: a revoked identity's data can be read until its keys are destroyed.
    ///
    /// - Parameters:
    ///   - id: The key ID in the data.
    ///   - identity: The owner named in the data. Another identity's key is never returned.
    /// - Returns: The key.
    /// - Throws: ``ProtectionError``; with `.unknownKey` or `.destroyedKey` if there is none.
    func key(_ id: IdentityKeyID, of identity: Identity) throws(ProtectionError) -> IdentityKey

    /// Returns whether an identity has keys: then its data are encrypted even if it is not managed, and it can be wiped.
    ///
    /// - Parameter identity: The identity, revoked or not.
    /// - Returns: Whether there is a key that is not destroyed.
    /// - Throws: ``ProtectionError`` if the provider cannot find out; then nothing is protected for the identity.
    func hasKeys(of identity: Identity) throws(ProtectionError) -> Bool

    /// Returns the number of an identity's keys, including rotated ones, for wipe reports.
    ///
    /// - Parameter identity: The owner of the keys, revoked or not.
    /// - Returns: The number; `nil`, the default, if the provider does not know it.
    /// - Throws: ``ProtectionError`` if the provider cannot find out.
    func keyCount(of identity: Identity) throws(ProtectionError) -> Int?

    /// Creates a new key for new data; old keys stay for reading.
    ///
    /// - Parameter identity: The owner of the key.
    /// - Returns: The ID of the new key.
    /// - Throws: ``ProtectionError``; with `.revoked` if the identity is not admitted.
    @discardableResult func rotateKey(of identity: Identity) throws(ProtectionError) -> IdentityKeyID

    /// Destroys all keys of an identity, and so all data that they protect; does nothing if there are none.
    ///
    /// - Parameter identity: The owner of the keys. Revoke it first, or new keys can be created at once.
    /// - Throws: ``ProtectionError`` if keys may be left; call it again.
    func destroyKeys(of identity: Identity) throws(ProtectionError)
}

extension IdentityKeyProvider {
    /// Returns `nil`: the provider does not know the number.
    public func keyCount(of identity: Identity) throws(ProtectionError) -> Int? { nil }
}
