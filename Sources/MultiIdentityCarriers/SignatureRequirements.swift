import MultiIdentity

/// The terms that a signed claim has to meet, before anybody looks at its signature.
struct SignatureRequirements: Sendable {
    let audience: String
    let issuers: [String]
    let maximumLifetime: Duration
    let leeway: Duration
    let now: @Sendable () -> Duration

    /// The claim's signature, if its terms are such that it is worth checking.
    func signature(of claim: IdentityClaim) throws(IdentityClaimError) -> IdentitySignature {
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
                \(now.components.seconds) s. Have the sender inject anew for each request, or look at both clocks.
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

    func verification(by signature: IdentitySignature, isRight: Bool) throws(IdentityClaimError) -> IdentityVerification
    {
        guard isRight else {
            throw IdentityClaimError(
                .wrongSignature,
                """
                The signature by "\(EscapedText(signature.issuer))" is not one of what the claim says. Somebody changed \
                the claim, or both sides use different keys.
                """
            )
        }
        return IdentityVerification(
            way: "signature",
            party: signature.issuer,
            detail: signature.keyID.map { "key \($0)" }
        )
    }
}
