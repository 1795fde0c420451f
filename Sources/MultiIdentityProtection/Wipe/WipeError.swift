public import MultiIdentity

/// A wipe was refused, or could not begin: what was wrong, with which value, and what to do.
///
/// Nothing was removed then.
public struct WipeError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<WipeError>

    /// A description of the failure, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode where Failure == WipeError {
    /// No identity was given.
    public static var unset: Self { Self() }
    /// Nobody owns what belongs to no account, and cannot be wiped.
    public static var nobody: Self { Self() }
    /// The identity is not managed, was not signed out, has no keys, and no wipe of it has begun.
    public static var notManaged: Self { Self() }
    /// Another process, or another ``IdentityWipe``, has the identity's journal open.
    public static var inUse: Self { Self() }
    /// The wipe's own handler asked for it, and would wait for itself.
    public static var ofItself: Self { Self() }
    /// The asking task was cancelled; the wipe goes on.
    public static var stoppedWaiting: Self { Self() }
    /// The folder of journals is one that others can use, or own, or is none.
    public static var unsafeFolder: Self { Self() }
    /// The identity's journal may not be used: others can write it, or a later version wrote it.
    public static var unusableJournal: Self { Self() }
    /// No report of a complete wipe is kept.
    public static var noReport: Self { Self() }
    /// The disk is full, and the journal cannot be begun.
    public static var noSpace: Self { Self() }
    /// The system refused a call; the message names it.
    public static var systemCall: Self { Self() }
    /// The cryptographic library failed, by which journals are named.
    public static var cryptographyFailed: Self { Self() }
}
