public import MultiIdentity

/// A switcher could not be made.
public struct SwitcherError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<SwitcherError>

    /// A description of the failure, for people: what was tried, and what to do.
    public let message: String

    static let levelsAreServed = SwitcherError(
        code: .levelsAreServed,
        message: """
            Another IdentitySwitcher serves these levels; use that one, or let go of it first. Tests give each switcher levels \
            of its own.
            """
    )
}

extension ErrorCode where Failure == SwitcherError {
    /// Another switcher serves these levels: two would not know of each other's switches.
    public static var levelsAreServed: Self { Self() }
}
