public import MultiIdentity
public import MultiIdentityFiles
public import MultiIdentityPolicy

/// Something cannot be shared or received: what is wrong, with which value, and what to do.
public struct DataSharingError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<DataSharingError>

    /// A description of the failure, for people.
    public let message: String

    /// The answer of the policies, where they refuse it.
    public private(set) var decision: PolicyDecision?

    /// The error of protection, where data cannot be protected or opened.
    public private(set) var protectionError: DataProtectionError?

    /// The error of files, where one cannot be read or made.
    public private(set) var fileError: IdentityFileError?

    private init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode where Failure == DataSharingError {
    /// A policy does not allow it; ``DataSharingError/decision`` says which.
    public static var refused: Self { Self() }
    /// The owner of the file is not known.
    public static var unknownOwner: Self { Self() }
    /// The file claims another owner than the recorded one.
    public static var otherOwner: Self { Self() }
    /// The data cannot be protected or opened; ``DataSharingError/protectionError`` says why.
    public static var protectionFailed: Self { Self() }
    /// A file cannot be read or made; ``DataSharingError/fileError`` says why.
    public static var fileFailed: Self { Self() }
}

extension DataSharingError {
    init(_ decision: PolicyDecision) {
        self.init(.refused, "\(decision)")
        self.decision = decision
    }

    init(_ error: DataProtectionError) {
        self.init(.protectionFailed, error.message)
        protectionError = error
    }

    init(_ error: IdentityFileError) {
        self.init(.fileFailed, error.message)
        fileError = error
    }

    init(neverSeen path: String) {
        self.init(
            .unknownOwner,
            "\(path) was made by another program, and has no known owner; set its owner before it is shared."
        )
    }

    init(_ path: String, of recorded: FileOwner, claims owner: Identity) {
        self.init(
            .otherOwner,
            "\(path) is recorded as owned by \(recorded), and claims to be of \(owner); find out who wrote it there, and "
                + "set the owner that is right."
        )
    }
}
