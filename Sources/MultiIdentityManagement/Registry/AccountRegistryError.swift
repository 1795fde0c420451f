public import MultiIdentity

/// An account is not registered, or work of it may not begin: what was wrong, with which one, and what to do.
public struct AccountRegistryError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<AccountRegistryError>
    /// A description of the failure, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: AccountStoreError) { self.init(.storeFailed, error.message) }
}

extension ErrorCode where Failure == AccountRegistryError {
    /// Nobody is no account.
    public static var nobody: Self { Self() }
    /// It is no work account.
    public static var notWorkAccount: Self { Self() }
    /// The identity was signed out or is being wiped.
    public static var revoked: Self { Self() }
    /// The account is not registered.
    public static var notRegistered: Self { Self() }
    /// The provider has no credential, or another account's.
    public static var noCredential: Self { Self() }
    /// The account's policy is not there yet, and is required.
    public static var policyRequired: Self { Self() }
    /// The service has confirmed no policy of the account for too long.
    public static var offlineTooLong: Self { Self() }
    /// This process has not reached the store for so long that others do not wait for it.
    public static var outOfTouch: Self { Self() }
    /// The name is an account's, another name of another one, or has data of its own.
    public static var aliasTaken: Self { Self() }
    /// A wipe was asked for, and the registry was given nothing that wipes.
    public static var cannotWipe: Self { Self() }
    /// An account cannot have the setting, or not this value of it.
    public static var invalidSetting: Self { Self() }
    /// The store failed.
    public static var storeFailed: Self { Self() }
}
