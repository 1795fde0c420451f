public import MultiIdentity

/// Believes what is signed: for this audience, by a known issuer, in time, with a signature that the caller's
/// cryptography finds right.
public struct SignatureVerifier: IdentityVerifier {
    private let requirements: SignatureRequirements
    private let check: @Sendable (IdentitySignature) throws -> Bool

    /// Believes what `issuers` signed for `audience`, while its time lasts.
    ///
    /// `check` is the caller's, since this package has no cryptography: it looks the key up by the signature's issuer and
    /// key name, and calls its library's check. To compare in a time that does not depend on where two signatures differ
    /// is that library's business; `==` does not. Which algorithm a key is for, the key has to say, and never the claim.
    ///
    /// - Parameters:
    ///   - audience: Who verifies, as the signer names them; compared byte by byte.
    ///   - issuers: Who may sign for this audience; compared byte by byte.
    ///   - maximumLifetime: The longest time that a claim may still be good for.
    ///   - leeway: How far the clocks of both machines may differ.
    ///   - now: The time since 1970-01-01T00:00:00Z; the system's clock, if `nil`.
    ///   - check: Whether the signature is that of the signed bytes; what it throws, `verified(by:)` throws.
    public init(
        audience: String,
        issuers: [String],
        maximumLifetime: Duration = .seconds(300),
        leeway: Duration = .seconds(5),
        now: (@Sendable () -> Duration)? = nil,
        check: @escaping @Sendable (_ signature: IdentitySignature) throws -> Bool
    ) {
        requirements = SignatureRequirements(
            audience: audience,
            issuers: issuers,
            maximumLifetime: maximumLifetime,
            leeway: leeway,
            now: now ?? WallClock.now
        )
        self.check = check
    }

    /// Decides: the terms first, and the signature last.
    public func verify(_ claim: IdentityClaim) throws -> IdentityVerification {
        let signature = try requirements.signature(of: claim)
        return try requirements.verification(by: signature, isRight: check(signature))
    }
}
