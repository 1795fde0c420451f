public import MultiIdentity
public import MultiIdentityFiles
public import MultiIdentityPolicy

/// An error of data, keys, wipes or audit files.
///
/// It contains no secrets and no data. Nothing was written, removed or returned, unless the call's documentation says
/// so.
public struct ProtectionError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<ProtectionError>

    /// The failure in words: what was tried, with which value, and what to do.
    public let message: String

    /// The decision of the policies, if they refuse to share.
    public internal(set) var decision: PolicyDecision?

    /// The error of an `IdentityFileSystem`, if there is one.
    public internal(set) var fileError: IdentityFileError?

    /// Creates an error, for use in a custom key provider.
    ///
    /// - Parameters:
    ///   - code: The kind of failure, for code to match on.
    ///   - message: The failure in words: what was tried, with which value, and what to do; no secret.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

// Of data.
extension ErrorCode where Failure == ProtectionError {
    /// The data differ from what was protected: bytes were changed, moved, removed or added.
    public static var tampered: Self { Self() }
    /// The end of the data is missing, or something was appended.
    public static var truncated: Self { Self() }
    /// A later version of this package wrote the data.
    package static var futureVersion: Self { Self() }
    /// Plain data claim to belong to a managed identity, whose data are always encrypted.
    public static var claimsManagedIdentity: Self { Self() }
    /// The data are not encrypted: they were never protected, or only claim an owner.
    public static var notEncrypted: Self { Self() }
    /// The owner differs from the one expected, recorded or named.
    public static var otherOwner: Self { Self() }
    /// The owner of the file to share is unknown.
    package static var unknownOwner: Self { Self() }
    /// A policy refuses the sharing: ``ProtectionError/decision``.
    public static var refused: Self { Self() }
    /// The data are too large for one message.
    package static var tooLarge: Self { Self() }
    /// The stream failed before, and accepts no more data.
    package static var finished: Self { Self() }
}

// Of keys and identities.
extension ErrorCode where Failure == ProtectionError {
    /// The owner has no key with this ID.
    public static var unknownKey: Self { Self() }
    /// The key was destroyed; the data that it protects are lost.
    public static var destroyedKey: Self { Self() }
    /// The key with this ID is not the one that protected the data.
    package static var wrongKey: Self { Self() }
    /// The keys are temporarily unavailable.
    public static var keyUnavailable: Self { Self() }
    /// A key or master key is missing, has the wrong length, or is not hexadecimal or base64.
    public static var invalidKey: Self { Self() }
    /// The key file was written with another master key.
    public static var wrongMasterKey: Self { Self() }
    /// The identity is revoked: no new data are protected for it, and it gets no key.
    public static var revoked: Self { Self() }
    /// The identity is unset or nobody, which has no keys and cannot be wiped.
    public static var nobody: Self { Self() }
    /// The identity is not managed, was not signed out, has no keys, and has no wipe in progress.
    package static var notManaged: Self { Self() }
    /// The handler of a wipe requested that same wipe, which waits for the handler.
    package static var wouldDeadlock: Self { Self() }
    /// The calling task was cancelled; the wipe continues.
    public static var stoppedWaiting: Self { Self() }
}

// Of files and the system.
extension ErrorCode where Failure == ProtectionError {
    /// The file, folder or report does not exist.
    public static var notFound: Self { Self() }
    /// Another process, or another object in this process, has the file open or locked.
    public static var inUse: Self { Self() }
    /// The file was altered or truncated, or is of another kind.
    public static var damaged: Self { Self() }
    /// The key file is older than one that this process has read, or is missing.
    public static var rolledBack: Self { Self() }
    /// Others can read, write or replace the file or folder, or it has the wrong type.
    package static var unsafeFile: Self { Self() }
    /// The file cannot be protected: it is not regular, has several names, or changed meanwhile.
    package static var unsuitableFile: Self { Self() }
    /// A file could not be read or created: ``ProtectionError/fileError``.
    public static var fileFailed: Self { Self() }
    /// The disk is full; nothing has changed.
    public static var noSpace: Self { Self() }
    /// A system call failed; the message names it.
    package static var systemCall: Self { Self() }
    /// The cryptographic library failed.
    package static var cryptographyFailed: Self { Self() }
}
