public import MultiIdentity

/// Believes claims with a valid signature, for this audience, from a known issuer, that have not expired.
public struct SignatureVerifier: IdentityVerifier {
    private let audience: String
    private let issuers: [String]
    private let maximumLifetime: Duration
    private let leeway: Duration
    private let now: @Sendable () -> Duration
    private let check: @Sendable (IdentitySignature) throws -> Bool

    /// Creates a verifier that believes what `issuers` signed for `audience`, until it expires.
    ///
    /// The caller provides `check`, since this package has no cryptography. It looks the key up by the signature's
    /// issuer and key ID, and verifies the signature with its library. Use the library's constant-time comparison, not
    /// `==`. Take the algorithm from the key, never from the claim.
    ///
    /// - Parameters:
    ///   - audience: The verifier, as the signer names it; compared byte by byte.
    ///   - issuers: The signers accepted for this audience; compared byte by byte.
    ///   - maximumLifetime: The maximum remaining lifetime of a claim.
    ///   - leeway: The maximum difference between the clocks of both machines.
    ///   - now: The time since 1970-01-01T00:00:00Z; `nil` for the system's clock.
    ///   - check: Returns whether the signature is valid for the signed bytes; `verified(by:)` rethrows its error.
    public init(
        audience: String,
        issuers: [String],
        maximumLifetime: Duration = .seconds(300),
        leeway: Duration = .seconds(5),
        now: (@Sendable () -> Duration)? = nil,
        check: @escaping @Sendable (_ signature: IdentitySignature) throws -> Bool
    ) {
        self.audience = audience
        self.issuers = issuers
        self.maximumLifetime = maximumLifetime
        self.leeway = leeway
        self.now = now ?? WallClock.now
        self.check = check
    }

    /// Verifies the terms first, and the signature last.
    public func verify(_ claim: IdentityClaim) throws -> IdentityVerification {
        let signature = try signature(of: claim)
        guard try check(signature) else {
            throw IdentityClaimError(
                .wrongSignature,
                """
                The signature by "\(EscapedText(signature.issuer))" does not match this claim. The claim was changed, or \
                both sides use different keys.
                """
            )
        }
        return IdentityVerification(
            way: "signature",
            party: signature.issuer,
            detail: signature.keyID.map { "key \($0)" }
        )
    }

    /// Returns the claim's signature if its terms are acceptable, so that it is worth checking.
    private func signature(of claim: IdentityClaim) throws(IdentityClaimError) -> IdentitySignature {
        guard let signature = claim.signature else {
            throw IdentityClaimError(
                .unsigned,
                "The \(claim) has no signature. Have its sender inject it with a signing, or use another verifier."
            )
        }
        guard signature.audience.isExactly(audience) else {
            throw IdentityClaimError(
                .wrongAudience,
                """
                The \(claim) was signed for "\(EscapedText(signature.audience))", not for "\(EscapedText(audience))". \
                Do not pass received headers on: have each hop sign for the next.
                """
            )
        }
        guard issuers.contains(where: signature.issuer.isExactly) else {
            throw IdentityClaimError(
                .unknownIssuer,
                """
                The \(claim) was signed by "\(EscapedText(signature.issuer))", which is not an accepted issuer. \
                Add it if it may speak for users.
                """
            )
        }
        let now = now()
        guard now < signature.expiry + leeway else {
            throw IdentityClaimError(
                .expired,
                """
                The \(claim) expired at \(signature.expiry.components.seconds) s since 1970, and now it is \
                \(now.components.seconds) s. Have the sender inject again for each request, or check both clocks.
                """
            )
        }
        guard signature.expiry - now <= maximumLifetime + leeway else {
            throw IdentityClaimError(
                .lifetimeTooLong,
                """
                The \(claim) is valid for \((signature.expiry - now).components.seconds) s more; the maximum is \
                \(maximumLifetime.components.seconds) s. Have the sender sign for a shorter time.
                """
            )
        }
        return signature
    }
}
