public import MultiIdentity

/// A key cannot be had, made or destroyed: what is wrong, with which value, and what to do.
///
/// It never holds a secret.
public struct IdentityKeyError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<IdentityKeyError>

    /// A description of the failure, for people.
    public let message: String

    /// Says what went wrong, as a provider of keys of a program's own does.
    ///
    /// - Parameters:
    ///   - code: The kind of failure, for code to match on.
    ///   - message: A description for people: what was tried, with which value, and what to do; no secret.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: CryptographyError) {
        self.init(.cryptographyFailed, "A key cannot be handled, since \(error).")
    }

    init(_ owner: RevokedOwner) {
        self.init(.revoked, "\(owner.identity) \(owner.why), and gets no key; \(owner.remedy).")
    }

    static func unknown(_ id: IdentityKeyID, of identity: Identity) -> IdentityKeyError {
        IdentityKeyError(
            .unknownKey,
            "There is no key \(id) of \(identity); the data were protected with other keys, or the key's id was altered."
        )
    }

    static func destroyed(_ id: IdentityKeyID, of identity: Identity) -> IdentityKeyError {
        IdentityKeyError(
            .destroyedKey,
            "The key \(id) was destroyed, and the data of \(identity) that it protects are lost for good."
        )
    }
}

extension ErrorCode where Failure == IdentityKeyError {
    /// The identity has no key of this id.
    public static var unknownKey: Self { Self() }
    /// The key was destroyed; what it protects is lost.
    public static var destroyedKey: Self { Self() }
    /// The identity is revoked, and gets no key to protect with.
    public static var revoked: Self { Self() }
    /// The keys cannot be reached now; later they may.
    public static var unavailable: Self { Self() }
    /// A key has the wrong length.
    public static var invalidKey: Self { Self() }
    /// There is no master key: it is missing, of the wrong length, or not hexadecimal or base64.
    public static var invalidMasterKey: Self { Self() }
    /// The key file was written under another master key.
    public static var wrongMasterKey: Self { Self() }
    /// A file of keys is one that others can read, own or replace, or is no regular file.
    public static var unsafeFile: Self { Self() }
    /// The key file is not what was written: altered, cut off or mixed.
    public static var damagedFile: Self { Self() }
    /// The key file is older than one that this process has seen, or is gone.
    public static var rolledBack: Self { Self() }
    /// The key file was written by a later version of this package.
    public static var futureVersion: Self { Self() }
    /// Nobody has no keys.
    public static var nobody: Self { Self() }
    /// The system refused to read or write; the message names the call.
    public static var systemCall: Self { Self() }
    /// The cryptographic library failed.
    public static var cryptographyFailed: Self { Self() }
}
