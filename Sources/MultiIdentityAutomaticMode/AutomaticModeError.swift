public import MultiIdentity

/// The reason why plain Dispatch calls carry no identity.
public struct AutomaticModeError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<AutomaticModeError>

    /// The failure in words: what is wrong, and what to do.
    public let message: String

    static let off = AutomaticModeError(
        code: .off,
        message: """
            Plain Dispatch calls carry no identity: automatic mode is off. Call turnOn(), or start the process without \
            MULTI_IDENTITY_AUTOMATIC=off.
            """
    )

    static func refused(_ reason: String) -> AutomaticModeError {
        AutomaticModeError(
            code: .refused,
            message: "Plain Dispatch calls carry no identity: \(reason). Fix that, or use `propagatingIdentity`."
        )
    }
}

extension ErrorCode where Failure == AutomaticModeError {
    /// Automatic mode was turned off.
    public static var off: Self { Self() }
    /// Automatic mode cannot be turned on; the message has the reason.
    public static var refused: Self { Self() }
}
