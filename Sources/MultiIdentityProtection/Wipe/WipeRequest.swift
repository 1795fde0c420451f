public import MultiIdentity

/// What a program's handler is told when it is to remove an account's data.
public struct WipeRequest: Hashable, Sendable {
    /// Whose data is to go.
    ///
    /// It is revoked, and a scope that is opened for it binds it all the same.
    public let identity: Identity

    /// Which run of this wipe it is: 1, or more after a crash or a failure.
    ///
    /// The handler may have done some of its work, or
    /// all of it, in an earlier one.
    public let run: Int

    /// Whether the account is managed still, which an interrupted wipe does not need.
    public let isManaged: Bool
}

/// What a program's handler says of an account's files.
public enum HandledFiles: String, Hashable, Codable, Sendable, CaseIterable {
    /// It removed them all; the storages look whether that is so.
    case removed
    /// It did not: the storages remove each file that the account owns.
    case leftToStorages
}
