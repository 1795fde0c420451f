public import MultiIdentity

/// Plain Dispatch calls carry no identity, although the program relies on it.
public struct IdentityInterpositionError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<IdentityInterpositionError>

    /// The failure in words: what is wrong, and what to do.
    public let message: String

    static let off = IdentityInterpositionError(
        code: .off,
        message: """
            Plain Dispatch calls carry no identity: it was turned off. Call turnOn(), or start the process without \
            MULTI_IDENTITY_AUTOMATIC=off.
            """
    )

    static func refused(_ reason: String) -> IdentityInterpositionError {
        IdentityInterpositionError(
            code: .refused,
            message: "Plain Dispatch calls carry no identity: \(reason). Fix that, or use `propagatingIdentity`."
        )
    }
}

extension ErrorCode where Failure == IdentityInterpositionError {
    /// Automatic mode was turned off.
    public static var off: Self { Self() }
    /// Automatic mode cannot be turned on; the message has the reason.
    public static var refused: Self { Self() }
}
