public import MultiIdentity

/// Data cannot be protected, or are not what was protected: what is wrong, with which value, and what to do.
///
/// It never holds a secret, nor any of the data.
public struct DataProtectionError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<DataProtectionError>

    /// A description of the failure, for people.
    public let message: String

    /// The error of the provider of keys, where it could not give the key.
    public let keyError: IdentityKeyError?

    init(_ code: Code, _ message: String, keyError: IdentityKeyError? = nil) {
        self.code = code
        self.message = message
        self.keyError = keyError
    }
}

extension ErrorCode where Failure == DataProtectionError {
    /// The header is none that this package writes.
    public static var malformedHeader: Self { Self() }
    /// The data were protected by a later version of this package.
    public static var futureVersion: Self { Self() }
    /// The data are not what was protected: bytes were changed, moved, removed or added.
    public static var tampered: Self { Self() }
    /// The data's end is missing, or something was added behind it.
    public static var truncated: Self { Self() }
    /// The key of this id is not the one that the data were protected with.
    public static var wrongKey: Self { Self() }
    /// The owner has no key of this id.
    public static var unknownKey: Self { Self() }
    /// The key was destroyed, and the data are lost.
    public static var destroyedKey: Self { Self() }
    /// The key could not be had for another reason; ``DataProtectionError/keyError`` says which.
    public static var keyUnavailable: Self { Self() }
    /// Nothing new is protected for a revoked identity.
    public static var revoked: Self { Self() }
    /// Plain data claim to be of a managed identity, for which data are always encrypted.
    public static var claimsManagedIdentity: Self { Self() }
    /// The data were never protected, where a protected form was expected.
    public static var notProtected: Self { Self() }
    /// The data only claim an owner, where encrypted data were expected.
    public static var notEncrypted: Self { Self() }
    /// The data are encrypted for another identity than the one expected.
    public static var otherOwner: Self { Self() }
    /// There are more data than one message can hold.
    public static var tooLarge: Self { Self() }
    /// The stream failed before, and takes no more.
    public static var finished: Self { Self() }
    /// The cryptographic library failed.
    public static var cryptographyFailed: Self { Self() }
    /// The system refused to read or write a file; the message names the call.
    public static var systemCall: Self { Self() }
    /// The file is none that can be protected so: not regular, or changed meanwhile.
    public static var unsuitableFile: Self { Self() }
}
