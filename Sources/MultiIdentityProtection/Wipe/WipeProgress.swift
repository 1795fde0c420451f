public import MultiIdentity

/// How far a wipe, or a dry run, has come.
public struct WipeProgress: Hashable, Codable, Sendable {
    /// Whose data goes.
    public let identity: Identity
    /// What is being done.
    public let phase: WipePhase
    /// How many entries of storages were looked at so far, whoever's they are; those that were removed count twice.
    public let entries: UInt64
    /// How many files of the identity were removed so far, earlier runs included; in a dry run, found.
    public let files: UInt64
    /// How many bytes these had.
    public let bytes: UInt64
}
