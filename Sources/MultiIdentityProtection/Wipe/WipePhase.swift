public import MultiIdentity

/// A phase of a wipe; they come in this order.
public enum WipePhase: String, Hashable, Codable, CodingKeyRepresentable, Sendable, CaseIterable {
    /// New work is refused from now on, and what waits to be cut short is notified.
    case revoking
    /// Work in flight comes to its end, for at most the stated time.
    case draining
    /// The program removes what it knows of.
    case handling
    /// The files of each storage are removed.
    case removing
    /// The keys are destroyed, once nothing else is left.
    case destroyingKeys
}

/// The progress of a wipe, or of a dry run.
public struct WipeProgress: Hashable, Sendable {
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
