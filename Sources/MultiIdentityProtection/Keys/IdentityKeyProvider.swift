public import MultiIdentity

/// A source of the keys of identities: ``KeyFile``, or a program's own, as of a key management service.
///
/// Called from any thread, outside of any lock; may block.
public protocol IdentityKeyProvider: Sendable {
    /// The key to protect an identity's data with, made if there is none.
    ///
    /// It asks `IdentityRevocation` for admission, so that a wipe's end leaves no key made behind its back.
    ///
    /// - Parameter identity: The owner of the data; never nobody.
    /// - Returns: The key.
    /// - Throws: ``ProtectionError``; with `.revoked` where the identity is not admitted.
    func currentKey(for identity: Identity) throws(ProtectionError) -> IdentityKey

    /// The key that data were protected with: the current one, or one before a rotation.
    ///
    /// It asks nobody for admission: what a revoked identity's data say can be read until its keys are destroyed.
    ///
    /// - Parameters:
    ///   - id: What the data call the key.
    ///   - identity: The identity that the data name as their owner. Another identity's key is never given.
    /// - Returns: The key.
    /// - Throws: ``ProtectionError``: `.unknownKey` or `.destroyedKey`
    ///   where there is none.
    func key(_ id: IdentityKeyID, of identity: Identity) throws(ProtectionError) -> IdentityKey

    /// Returns whether an identity has keys: its data are encrypted then, managed or not, and it can be wiped.
    ///
    /// - Parameter identity: The identity, revoked or not.
    /// - Returns: Whether there is a key that is not destroyed.
    /// - Throws: ``ProtectionError`` where that cannot be found out: nothing is protected for the identity then.
    func hasKeys(of identity: Identity) throws(ProtectionError) -> Bool

    /// Returns the number of keys that an identity has, those before a rotation included, for reports of wipes.
    ///
    /// - Parameter identity: The owner of the keys, revoked or not.
    /// - Returns: The number; `nil`, as by default, where the provider cannot tell.
    /// - Throws: ``ProtectionError`` where that cannot be found out.
    func keyCount(of identity: Identity) throws(ProtectionError) -> Int?

    /// Has new data protected with a new key; the old ones stay, for reading.
    ///
    /// - Parameter identity: The owner of the key that is replaced.
    /// - Returns: The new key's id.
    /// - Throws: ``ProtectionError``; with `.revoked` where the identity is not admitted.
    @discardableResult func rotateKey(of identity: Identity) throws(ProtectionError) -> IdentityKeyID

    /// Destroys all keys of an identity, and with them whatever they protect; does nothing where it has none.
    ///
    /// - Parameter identity: The owner of the keys; revoked by then, or new keys can be made at once.
    /// - Throws: ``ProtectionError`` where they are not known to be destroyed: to be called again.
    func destroyKeys(of identity: Identity) throws(ProtectionError)
}

extension IdentityKeyProvider {
    /// Cannot tell.
    public func keyCount(of identity: Identity) throws(ProtectionError) -> Int? { nil }
}
