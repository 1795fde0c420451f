public import MultiIdentity

/// Believes what is signed, as ``SignatureVerifier``; its check may have to ask, as for the issuer's keys.
public struct AsyncSignatureVerifier: AsyncIdentityVerifier {
    private let requirements: SignatureRequirements
    private let check: nonisolated(nonsending) @Sendable (IdentitySignature) async throws -> Bool

    /// Believes what `issuers` signed for `audience`, while its time lasts, by a check that may have to ask.
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
        check: nonisolated(nonsending) @escaping @Sendable (_ signature: IdentitySignature) async throws -> Bool
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
    public nonisolated(nonsending) func verify(_ claim: IdentityClaim) async throws -> IdentityVerification {
        let signature = try requirements.signature(of: claim)
        return try requirements.verification(by: signature, isRight: await check(signature))
    }
}
