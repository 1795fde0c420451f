public import MultiIdentity

/// A store of accounts cannot be read or changed: what was wrong, and what to do.
public struct AccountStoreError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<AccountStoreError>
    /// A description of the failure, for people.
    public let message: String

    /// Says what went wrong, as a store of a program's own does.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: A description for people: what was tried, with which value, and what to do.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode where Failure == AccountStoreError {
    /// The store cannot be reached, or is busy for too long.
    public static var unavailable: Self { Self() }
    /// The store has no more room.
    public static var noSpace: Self { Self() }
    /// The stored data are damaged, or another program's.
    public static var damaged: Self { Self() }
    /// A later version wrote the store.
    public static var unsupportedVersion: Self { Self() }
}
