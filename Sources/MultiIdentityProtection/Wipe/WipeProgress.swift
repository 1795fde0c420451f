public import MultiIdentity

/// The progress of a wipe, or of a dry run.
public struct WipeProgress: Hashable, Codable, Sendable {
    /// The owner of the data.
    public let identity: Identity
    /// The phase that is under way.
    public let phase: WipePhase
    /// The number of entries of storages looked at so far, of any owner; those that were removed count twice.
    public let entries: UInt64
    /// The number of files of the identity removed so far, earlier runs included; in a dry run, found.
    public let files: UInt64
    /// The number of bytes of these files.
    public let bytes: UInt64
}
