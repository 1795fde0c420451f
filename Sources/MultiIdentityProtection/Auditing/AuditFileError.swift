public import MultiIdentity
import MultiIdentityFiles

/// A file of audit lines cannot be opened, written or read: what was wrong, with which file, and what to do.
public struct AuditFileError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<AuditFileError>
    /// A description of the failure, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: SystemCallError) {
        self.init(error.isNoSpace ? .noSpace : error.isNotFound ? .notFound : .systemCall, "\(error).")
    }
}

extension ErrorCode where Failure == AuditFileError {
    /// There is no such file, or no such folder.
    public static var notFound: Self { Self() }
    /// Others can write the file, or own it, or it is none.
    public static var unsafeFile: Self { Self() }
    /// It is open already, here or in another process.
    public static var inUse: Self { Self() }
    /// Its end is no audit line, or one that none can follow, and nothing is added to what nobody can check.
    public static var damaged: Self { Self() }
    /// The disk is full.
    public static var noSpace: Self { Self() }
    /// The system refused a call; the message names it.
    public static var systemCall: Self { Self() }
    /// The cryptographic library failed.
    public static var cryptographyFailed: Self { Self() }
}
