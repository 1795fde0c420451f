public import MultiIdentity

extension KeyFile: CountedIdentityKeys {
    /// How many keys an identity has, those before a rotation included.
    ///
    /// - Parameter identity: Whose keys, revoked or not.
    /// - Returns: How many.
    /// - Throws: ``IdentityKeyError`` where the file cannot be read.
    /// - Complexity: O(*n*) in the keys of the file.
    public func keyCount(of identity: Identity) throws(IdentityKeyError) -> Int {
        try latest().contents.entries.count { $0.owner == identity }
    }
}
