public import MultiIdentity

/// A phase of a wipe, in the order in which they run.
public enum WipePhase: String, Hashable, Codable, CodingKeyRepresentable, Sendable, CaseIterable {
    /// New work is refused from now on, and cancellation handlers are called.
    case revoking
    /// Running work is waited for, up to the drain timeout.
    case draining
    /// The handler removes the program's data of the account.
    case handling
    /// The storages remove the account's files.
    case removing
    /// The keys are destroyed, if everything else succeeded.
    case destroyingKeys
}

/// The progress of a wipe, or of a dry run.
public struct WipeProgress: Hashable, Sendable {
    /// The owner of the data.
    public let identity: Identity
    /// The current phase.
    public let phase: WipePhase
    /// The number of storage entries checked so far, of any owner; removed entries count twice.
    public let entries: UInt64
    /// The number of the identity's files removed so far, including earlier runs; in a dry run, found.
    public let files: UInt64
    /// The number of bytes of these files.
    public let bytes: UInt64
}
