public import MultiIdentity

/// A request to the program's handler to remove an account's data.
public struct WipeRequest: Hashable, Sendable {
    /// The owner of the data.
    ///
    /// It is revoked, but the handler can still bind it with a scope.
    public let identity: Identity

    /// The number of this run of the wipe; more than 1 after a crash or a failure.
    ///
    /// An earlier run of the handler may have done some or all of its work.
    public let run: Int

    /// Indicates whether the account is still managed; an interrupted wipe continues even if not.
    public let isManaged: Bool
}

/// A handler's answer about an account's files.
public enum HandledFiles: String, Hashable, Codable, Sendable {
    /// The handler removed all files; the storages verify that.
    case removed
    /// The handler removed none: the storages remove each file that the account owns.
    case leftToStorages
}
