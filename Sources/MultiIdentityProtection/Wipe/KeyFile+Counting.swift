public import MultiIdentity

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
