public import MultiIdentity

/// An error of a refused or failed file operation.
public struct IdentityFileError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<IdentityFileError>

    /// The path as given, below the root; empty for an error about the root or the records.
    public let path: String

    /// The failure in words: what was tried, with which value, and what to do.
    public let message: String

    /// The error of the system call that failed, if any.
    package let systemError: SystemCallError?

    /// The refused identity, if ``code`` is `.revoked`.
    public let identity: Identity?

    init(
        _ code: Code,
        _ path: String,
        _ message: String,
        systemError: SystemCallError? = nil,
        identity: Identity? = nil
    ) {
        self.code = code
        self.path = path
        self.message = message
        self.systemError = systemError
        self.identity = identity
    }
}

extension ErrorCode where Failure == IdentityFileError {
    /// The path is empty, absolute or too long, contains `..` or a NUL, or ends in a name reserved for temporary files.
    package static var invalidPath: Self { Self() }
    /// The path leads out of the root through a symbolic link, or its symbolic links form a loop.
    public static var outsideRoot: Self { Self() }
    /// The file does not exist, or a directory of its path is missing.
    public static var notFound: Self { Self() }
    /// The name already exists.
    public static var alreadyExists: Self { Self() }
    /// The path names a directory, a symbolic link, a pipe or a device; only files have owners.
    public static var notAFile: Self { Self() }
    /// The work has no identity, and this root refuses work without one.
    public static var noOwner: Self { Self() }
    /// The identity that would own the file was inferred by automatic mode, for display only (`IdentityInference`).
    package static var inferredOwner: Self { Self() }
    /// The identity that would own the file is revoked: ``IdentityFileError/identity``.
    public static var revoked: Self { Self() }
    /// The recorded owner is damaged, or uncertain because a later record is damaged.
    public static var damagedOwner: Self { Self() }
    /// A later version of this package recorded the owner.
    package static var newerOwner: Self { Self() }
    /// The file system does not support extended attributes, and owners are kept there.
    public static var attributesUnsupported: Self { Self() }
    /// The disk is full, or a quota is used up.
    public static var noSpace: Self { Self() }
    /// The process lacks permission.
    public static var notPermitted: Self { Self() }
    /// A directory cannot be moved to another file system or below another root.
    public static var crossesFileSystems: Self { Self() }
    /// The file's owner changed during the copy.
    package static var changedMeanwhile: Self { Self() }
    /// The index of owners is damaged, of a later version, no index at all, not private, or below the root.
    package static var invalidIndex: Self { Self() }
    /// Another process has kept the index locked for half a minute, as an earlier version does.
    package static var indexInUse: Self { Self() }
    /// A system call failed for another reason; the message names it.
    package static var systemCall: Self { Self() }
}
