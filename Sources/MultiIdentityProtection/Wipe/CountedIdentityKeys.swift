public import MultiIdentity

/// A provider of keys that can say how many an identity has, for reports of wipes.
public protocol CountedIdentityKeys: IdentityKeyProvider {
    /// Returns the number of keys that an identity has, those before a rotation included.
    ///
    /// - Parameter identity: The owner of the keys, revoked or not.
    /// - Returns: The number.
    /// - Throws: ``IdentityKeyError`` where that cannot be found out.
    func keyCount(of identity: Identity) throws(IdentityKeyError) -> Int
}

extension KeyFile: CountedIdentityKeys {
    /// Returns the number of keys that an identity has, those before a rotation included.
    ///
    /// - Parameter identity: The owner of the keys, revoked or not.
    /// - Returns: The number.
    /// - Throws: ``IdentityKeyError`` where the file cannot be read.
    /// - Complexity: O(*n*) in the keys of the file.
    public func keyCount(of identity: Identity) throws(IdentityKeyError) -> Int {
        try latest().contents.entries.count { $0.owner == identity }
    }
}
