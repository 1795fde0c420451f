public import MultiIdentity

/// The reason why a claim is not believed.
///
/// For a server this means that the caller is not authenticated: bind nothing.
public struct IdentityClaimError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<IdentityClaimError>

    /// The failure in words; values from outside are shortened and escaped for logs.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode where Failure == IdentityClaimError {
    /// A signature is required, and the claim has none.
    public static var unsigned: Self { Self() }
    /// The claim was signed for another audience.
    public static var wrongAudience: Self { Self() }
    /// The claim's signer may not sign for this audience.
    public static var unknownIssuer: Self { Self() }
    /// The claim has expired.
    public static var expired: Self { Self() }
    /// The claim is valid for longer than the verifier allows.
    public static var lifetimeTooLong: Self { Self() }
    /// The signature does not match the signed bytes.
    public static var wrongSignature: Self { Self() }
    /// The peer has no certificate, or may not claim identities.
    public static var unknownPeer: Self { Self() }
}
