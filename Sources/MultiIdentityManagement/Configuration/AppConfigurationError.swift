public import MultiIdentity

/// A configuration cannot be read, or a value of it is not what was asked for: what was wrong, where, and what to do.
///
/// No message shows a value, which can be a secret.
public struct AppConfigurationError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<AppConfigurationError>
    /// A description of the failure, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode where Failure == AppConfigurationError {
    /// A value is of another type than was asked for.
    public static var wrongType: Self { Self() }
    /// The text is no configuration.
    public static var malformedText: Self { Self() }
}
