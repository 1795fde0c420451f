public import MultiIdentity

/// Decides whether a claim is believed, and may have to ask, as for the issuer's keys.
public protocol AsyncIdentityVerifier: Sendable {
    /// Decides.
    ///
    /// - Parameter claim: What was extracted.
    /// - Returns: How the claim was verified, for the record.
    /// - Throws: Why it is not believed.
    nonisolated(nonsending) func verify(_ claim: IdentityClaim) async throws -> IdentityVerification
}

extension IdentityClaim {
    /// The identity that was claimed, once a verifier has believed it that may have to ask.
    ///
    /// - Parameter verifier: Decides whether the claim is believed.
    /// - Returns: The identity, which remembers in `Identity.verification` how it was verified.
    /// - Throws: What the verifier throws; the package's own throw ``IdentityClaimError``.
    public nonisolated(nonsending) func verified(by verifier: some AsyncIdentityVerifier) async throws -> Identity {
        try identity(by: await verifier.verify(self))
    }
}
