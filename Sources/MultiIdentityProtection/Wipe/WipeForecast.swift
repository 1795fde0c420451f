public import MultiIdentity
public import MultiIdentityFiles

/// What a wipe would remove, as a dry run found it.
public struct WipeForecast: Hashable, Codable, Sendable {
    /// Whose data it is.
    public let identity: Identity
    /// How many files the storages would remove; what the program's handler would is not known.
    public let files: UInt64
    /// How many bytes these have.
    public let bytes: UInt64
    /// How many keys would be destroyed, where the provider can tell.
    public let keys: Int?
    /// How much work runs.
    public let running: Int
    /// How much work was captured, and would run under nobody.
    public let captured: Int
    /// Whether a wipe has begun and is not complete.
    public let isUnfinished: Bool
    /// What could not be looked at: the first thousand at most, of ``failureCount``.
    public let failures: [WipeFailure]
    /// How many failures there were.
    public let failureCount: Int
}
