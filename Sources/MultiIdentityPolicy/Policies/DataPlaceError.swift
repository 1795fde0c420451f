public import MultiIdentity

/// A place that cannot be: what was wrong with it, and what to do.
public struct DataPlaceError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<DataPlaceError>

    /// A description of the failure, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode where Failure == DataPlaceError {
    /// The text is no service's name.
    public static var invalidServiceName: Self { Self() }
    /// An account was given for a place that has none, as local storage.
    public static var takesNoAccount: Self { Self() }
    /// Nobody has no space.
    public static var spaceOfNobody: Self { Self() }
    /// Nobody has no account.
    public static var accountOfNobody: Self { Self() }
}
