public import MultiIdentity
public import MultiIdentityFiles
public import MultiIdentityPolicy

/// Data, keys, wipes or audit files cannot be used as asked: what is wrong, with which value, and what to do.
///
/// It never holds a secret, nor any of the data. Nothing was written, removed or given out then, except where the call says so.
public struct ProtectionError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<ProtectionError>

    /// A description of the failure, for people.
    public let message: String

    /// The answer of the policies, where they refuse to share.
    public internal(set) var decision: PolicyDecision?

    /// The error of an `IdentityFileSystem`, where it has one.
    public internal(set) var fileError: IdentityFileError?

    /// Says what went wrong, as a custom provider of keys does.
    ///
    /// - Parameters:
    ///   - code: The kind of failure, for code to match on.
    ///   - message: A description for people: what was tried, with which value, and what to do; no secret.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

// Of data.
extension ErrorCode where Failure == ProtectionError {
    /// The data are not what was protected: bytes were changed, moved, removed or added.
    public static var tampered: Self { Self() }
    /// The data's end is missing, or something was added behind it.
    public static var truncated: Self { Self() }
    /// A later version of this package wrote it.
    public static var futureVersion: Self { Self() }
    /// Plain data claim to be of a managed identity, for which data are always encrypted.
    public static var claimsManagedIdentity: Self { Self() }
    /// Encrypted data were expected, and these were never protected or only claim an owner.
    public static var notEncrypted: Self { Self() }
    /// The owner is another identity than the one expected, recorded or named.
    public static var otherOwner: Self { Self() }
    /// The owner of a file that is to be shared is not known.
    public static var unknownOwner: Self { Self() }
    /// A policy does not allow it; ``ProtectionError/decision`` says which.
    public static var refused: Self { Self() }
    /// There are more data than one message can hold.
    public static var tooLarge: Self { Self() }
    /// The stream failed before, and takes no more.
    public static var finished: Self { Self() }
}

// Of keys and identities.
extension ErrorCode where Failure == ProtectionError {
    /// The owner has no key of this id.
    public static var unknownKey: Self { Self() }
    /// The key was destroyed; what it protects is lost.
    public static var destroyedKey: Self { Self() }
    /// The key of this id is not the one that the data were protected with.
    public static var wrongKey: Self { Self() }
    /// The keys cannot be reached now; later they may.
    public static var keyUnavailable: Self { Self() }
    /// A key or a master key is missing, of the wrong length, or not hexadecimal or base64.
    public static var invalidKey: Self { Self() }
    /// The key file was written under another master key.
    public static var wrongMasterKey: Self { Self() }
    /// The identity is revoked: nothing new is protected for it, and it gets no key.
    public static var revoked: Self { Self() }
    /// No identity was given, or nobody, which has no keys and cannot be wiped.
    public static var nobody: Self { Self() }
    /// The identity is not managed, was not signed out, has no keys, and no wipe of it has begun.
    public static var notManaged: Self { Self() }
    /// The wipe's own handler asked for it, and would wait for itself.
    public static var wouldDeadlock: Self { Self() }
    /// The asking task was cancelled; the wipe goes on.
    public static var stoppedWaiting: Self { Self() }
}

// Of files and the system.
extension ErrorCode where Failure == ProtectionError {
    /// There is no such file, folder or report.
    public static var notFound: Self { Self() }
    /// Another process, or another object of this one, has it open or locked.
    public static var inUse: Self { Self() }
    /// The file is not what was written: altered, cut off or mixed, or no file of the kind.
    public static var damaged: Self { Self() }
    /// The key file is older than one that this process has seen, or is gone.
    public static var rolledBack: Self { Self() }
    /// Others can read, write or replace the file or folder, or it is of another kind.
    public static var unsafeFile: Self { Self() }
    /// The file cannot be protected: it is not regular, has several names, or was changed meanwhile.
    public static var unsuitableFile: Self { Self() }
    /// A file cannot be read or made; ``ProtectionError/fileError`` says why.
    public static var fileFailed: Self { Self() }
    /// The disk is full; nothing was changed.
    public static var noSpace: Self { Self() }
    /// The system refused a call; the message names it.
    public static var systemCall: Self { Self() }
    /// The cryptographic library failed.
    public static var cryptographyFailed: Self { Self() }
}
