public import MultiIdentity

/// An account is not enrolled, or does not leave: what was wrong, with which one, and what to do.
public struct AccountsError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<AccountsError>

    /// The account that it was about.
    public let identity: Identity

    /// A description of the failure, for people: what was tried, with which account, and what to do.
    public let message: String

    init(_ code: Code, _ identity: Identity, _ message: String) {
        self.code = code
        self.identity = identity
        self.message = message
    }
}

extension ErrorCode where Failure == AccountsError {
    /// Nobody is no account, and cannot be enrolled.
    public static var nobody: Self { Self() }
    /// Another user is enrolled already, and one is managed at a time.
    public static var anotherIsEnrolled: Self { Self() }
    /// The account that should leave is not enrolled.
    public static var notEnrolled: Self { Self() }
    /// The source has neither a policy for the account nor a default one.
    public static var noPolicy: Self { Self() }
    /// The list of allowed accounts does not have it.
    public static var notAllowed: Self { Self() }
    /// The identity was signed out or is being wiped, and gets no new work.
    public static var revoked: Self { Self() }
}
