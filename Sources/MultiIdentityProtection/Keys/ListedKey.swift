public import MultiIdentity

/// A key in a ``KeyFile``, without its secret.
public struct ListedKey: Hashable, Sendable {
    /// The name of the key in the data that it protects.
    public let id: IdentityKeyID

    /// The owner of the key.
    public let owner: Identity

    /// Indicates whether new data are protected with it; the others are from before a rotation.
    public let isCurrent: Bool
}

extension KeyFile {
    /// Lists the keys, in the order that they were made in; none is unwrapped.
    ///
    /// - Returns: Every key that is not destroyed.
    /// - Throws: ``IdentityKeyError`` where the file cannot be read.
    /// - Complexity: O(*n*) in the number of keys.
    public func listedKeys() throws(IdentityKeyError) -> [ListedKey] {
        let contents = try latest().contents
        return contents.entries.map { entry in
            ListedKey(id: entry.id, owner: entry.owner, isCurrent: contents.current(of: entry.owner)?.id == entry.id)
        }
    }
}
