public import MultiIdentity

/// A provider of keys that can say how many an identity has, for reports of wipes.
public protocol CountedIdentityKeys: IdentityKeyProvider {
    /// How many keys an identity has, those before a rotation included.
    ///
    /// - Parameter identity: Whose keys, revoked or not.
    /// - Returns: How many.
    /// - Throws: ``IdentityKeyError`` where that cannot be found out.
    func keyCount(of identity: Identity) throws(IdentityKeyError) -> Int
}
