public import MultiIdentity

/// A configuration cannot be put into force: which one, where it was set, what is wrong, and what to do.
///
/// No message shows a value, which can be a secret.
public struct ManagementConfigurationError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<ManagementConfigurationError>
    /// A description of the failure, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode where Failure == ManagementConfigurationError {
    /// A value is of another type than the setting takes, or out of its range.
    public static var wrongValue: Self { Self() }
    /// A text is no JSON, or has no section of settings where one has to be.
    public static var malformedText: Self { Self() }
    /// A text has a section whose name is nearly that of the settings: what is set there would not count.
    public static var unknownSection: Self { Self() }
    /// A file cannot be read.
    public static var unreadableFile: Self { Self() }
    /// Policies for tests are named, and this is a release build that was not set to take them.
    public static var testPoliciesInRelease: Self { Self() }
}
