/// The place where the owners of files are recorded.
public enum OwnerRecords: Hashable, Sendable {
    /// In the extended attribute `user.multi-identity.owner` of each file.
    case attributes

    /// In an index file in this folder, which must be private and not below the root; it is created if it is missing.
    case index(in: String)

    /// In attributes if the root's file system supports them, otherwise in an index in this folder.
    ///
    /// An existing index stays authoritative for the files in it, until ``IdentityFileSystem/repair(adoptsReplaced:)``
    /// has moved its owners to attributes.
    case automatic(indexIn: String)
}
