public import MultiIdentity

/// A claim is not believed: what is wrong with it, and what to do.
///
/// To a server it means that the caller is not authenticated: nothing may be bound.
public struct IdentityClaimError: CodedError {
    /// The code of what went wrong, to match on.
    public let code: ErrorCode<IdentityClaimError>

    /// The message for people; values from outside are cut, and what could act on a log is escaped.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode where Failure == IdentityClaimError {
    /// A signature was asked for, and the claim has none.
    public static var unsigned: Self { Self() }
    /// The claim was signed for somebody else.
    public static var wrongAudience: Self { Self() }
    /// The claim was signed by somebody who may not sign for this audience.
    public static var unknownIssuer: Self { Self() }
    /// The claim's time is over.
    public static var expired: Self { Self() }
    /// The claim would be good for longer than the verifier allows.
    public static var lifetimeTooLong: Self { Self() }
    /// The signature is not that of these bytes.
    public static var wrongSignature: Self { Self() }
    /// The peer showed no certificate, or is not among those that may claim identities.
    public static var unknownPeer: Self { Self() }
}
