public import MultiIdentity

/// A request to a program's handler to remove an account's data.
public struct WipeRequest: Hashable, Sendable {
    /// The owner of the data.
    ///
    /// It is revoked, and a scope that is opened for it binds it all the same.
    public let identity: Identity

    /// The number of this run of the wipe: 1, or more after a crash or a failure.
    ///
    /// The handler may have done some of its work, or
    /// all of it, in an earlier one.
    public let run: Int

    /// Indicates whether the account is managed still, which an interrupted wipe does not need.
    public let isManaged: Bool
}

/// A handler's answer about an account's files.
public enum HandledFiles: String, Hashable, Codable, Sendable {
    /// It removed them all; the storages look whether that is so.
    case removed
    /// It did not: the storages remove each file that the account owns.
    case leftToStorages
}
