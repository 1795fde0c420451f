public import MultiIdentity
public import MultiIdentityFiles

/// A forecast of what a wipe would remove, as a dry run found it.
public struct WipeForecast: Hashable, Codable, Sendable {
    /// The owner of the data.
    public let identity: Identity
    /// The number of files that the storages would remove; what the program's handler would is not known.
    public let files: UInt64
    /// The number of bytes of these files.
    public let bytes: UInt64
    /// The number of keys that would be destroyed, where the provider can tell.
    public let keys: Int?
    /// The amount of work that runs.
    public let running: Int
    /// The amount of work that was captured, and would run under nobody.
    public let captured: Int
    /// Indicates whether a wipe has begun and is not complete.
    public let isUnfinished: Bool
    /// The failures to look at something: the first thousand at most, of ``failureCount``.
    public let failures: [WipeFailure]
    /// The number of failures.
    public let failureCount: Int
}
