public import MultiIdentity

/// Believes what is signed: for this audience, by a known issuer, in time, with a signature that the caller's
/// cryptography finds right.
public struct SignatureVerifier: IdentityVerifier {
    private let audience: String
    private let issuers: [String]
    private let maximumLifetime: Duration
    private let leeway: Duration
    private let now: @Sendable () -> Duration
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
        self.audience = audience
        self.issuers = issuers
        self.maximumLifetime = maximumLifetime
        self.leeway = leeway
        self.now = now ?? WallClock.now
        self.check = check
    }

    /// Decides: the terms first, and the signature last.
    public func verify(_ claim: IdentityClaim) throws -> IdentityVerification {
        let signature = try signature(of: claim)
        guard try check(signature) else {
            throw IdentityClaimError(
                .wrongSignature,
                """
                The signature by "\(EscapedText(signature.issuer))" does not sign this claim. The claim was changed, or \
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

    /// The claim's signature, if its terms are such that it is worth checking.
    private func signature(of claim: IdentityClaim) throws(IdentityClaimError) -> IdentitySignature {
        guard let signature = claim.signature else {
            throw IdentityClaimError(
                .unsigned,
                "The \(claim) has no signature. Have its sender inject with a signing, or verify it another way."
            )
        }
        guard signature.audience.isExactly(audience) else {
            throw IdentityClaimError(
                .wrongAudience,
                """
                The \(claim) was signed for "\(EscapedText(signature.audience))", and this is "\(EscapedText(audience))". \
                Do not pass received headers on: have each hop sign for the next.
                """
            )
        }
        guard issuers.contains(where: signature.issuer.isExactly) else {
            throw IdentityClaimError(
                .unknownIssuer,
                """
                The \(claim) was signed by "\(EscapedText(signature.issuer))", who is not among the issuers here. \
                Add them if they may speak for users.
                """
            )
        }
        let now = now()
        guard now < signature.expiry + leeway else {
            throw IdentityClaimError(
                .expired,
                """
                The \(claim) expired at \(signature.expiry.components.seconds) s since 1970, and it is \
                \(now.components.seconds) s. Have the sender inject again for each request, or check both clocks.
                """
            )
        }
        guard signature.expiry - now <= maximumLifetime + leeway else {
            throw IdentityClaimError(
                .lifetimeTooLong,
                """
                The \(claim) would be good for \((signature.expiry - now).components.seconds) s more, and at most \
                \(maximumLifetime.components.seconds) s are allowed. Have the sender sign for a shorter time.
                """
            )
        }
        return signature
    }
}
