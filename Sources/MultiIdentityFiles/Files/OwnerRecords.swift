/// The place where the owners of files are kept: the one truth about them.
public enum OwnerRecords: Hashable, Sendable {
    /// With each file, in its extended attribute `user.multi-identity.owner`.
    case attributes

    /// In an index, a file in this folder, which is ours alone and not below the root; made where there is none.
    case index(in: String)

    /// With each file where the root's file system keeps extended attributes, else in an index in this folder.
    ///
    /// An index that is there stays the truth for what it knows, until
    /// ``IdentityFileSystem/repair(adoptsReplaced:)`` has moved that to attributes.
    case automatic(indexIn: String)
}
