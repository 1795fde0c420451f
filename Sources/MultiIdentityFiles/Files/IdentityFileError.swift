public import MultiIdentity

/// A file operation that was refused or failed: what was tried, on which path, and what to do.
public struct IdentityFileError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<IdentityFileError>

    /// The path that was given, below the root; empty for an error about the root or the records.
    public let path: String

    /// A description of the failure, for people: what was tried, with which value, and what to do.
    public let message: String

    /// The error of the system, where it refused a call.
    package let systemError: SystemCallError?

    /// The identity that was refused, where ``code`` is `.revoked`.
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
    /// The path is empty, absolute, has `..` or a NUL in it, is too long, or ends in a name of our temporary files.
    public static var invalidPath: Self { Self() }
    /// The path leads out of the root by a symbolic link, or in circles.
    public static var outsideRoot: Self { Self() }
    /// There is no such file, or a directory on the way to it is missing.
    public static var notFound: Self { Self() }
    /// Something has the name already.
    public static var alreadyExists: Self { Self() }
    /// It is a directory, a symbolic link, a pipe or a device: only files have owners.
    public static var notAFile: Self { Self() }
    /// The work has no identity, and work without one is refused here.
    public static var noOwner: Self { Self() }
    /// The identity that would own the file was inferred by automatic mode and is only shown (`IdentityInference`).
    public static var inferredOwner: Self { Self() }
    /// The identity that would own the file is revoked; ``IdentityFileError/identity`` says which.
    public static var revoked: Self { Self() }
    /// The recorded owner is damaged, or uncertain, since a later record is: it is nobody's name.
    public static var damagedOwner: Self { Self() }
    /// The owner was recorded by a later version of this package.
    public static var newerOwner: Self { Self() }
    /// The file system keeps no extended attributes, and owners are to be kept there.
    public static var attributesUnsupported: Self { Self() }
    /// The disk, or what may be used of it, is full.
    public static var noSpace: Self { Self() }
    /// The process may not do that.
    public static var notPermitted: Self { Self() }
    /// A directory cannot be moved to another file system, or below another root.
    public static var crossesFileSystems: Self { Self() }
    /// The file's owner was changed while it was copied.
    public static var changedMeanwhile: Self { Self() }
    /// The index of owners cannot be used: not ours alone, damaged, of a later version, no index, or below the root.
    public static var invalidIndex: Self { Self() }
    /// Another process has had the index locked for half a minute, as one of an earlier version does.
    public static var indexInUse: Self { Self() }
    /// The system refused a call for another reason; the message names it.
    public static var systemCall: Self { Self() }
}
