public import MultiIdentity

/// Decides at once whether a claim is believed.
///
/// There are ``SignatureVerifier``, ``mutualTLS(peer:allowing:)`` and ``trustedPeer(_:because:)``; write one of your own where none of them fits. One that has to ask somebody is an
/// ``AsyncIdentityVerifier``.
public protocol IdentityVerifier: Sendable {
    /// Decides.
    ///
    /// - Parameter claim: What was extracted.
    /// - Returns: How the claim was verified, for the record.
    /// - Throws: Why it is not believed.
    func verify(_ claim: IdentityClaim) throws -> IdentityVerification
}

extension IdentityClaim {
    /// The identity that was claimed, once a verifier has believed it.
    ///
    /// - Parameter verifier: Decides whether the claim is believed.
    /// - Returns: The identity, which remembers in `Identity.verification` how it was verified.
    /// - Throws: What the verifier throws; the package's own throw ``IdentityClaimError``.
    public func verified(by verifier: some IdentityVerifier) throws -> Identity {
        try identity(by: verifier.verify(self))
    }

    private static func identities(_ names: [String]) throws(IdentityError) -> [Identity] {
        var identities: [Identity] = []
        for name in names { identities.append(try Identity(name)) }
        return identities
    }

    func identity(by verification: IdentityVerification) throws(IdentityError) -> Identity {
        switch subject {
        case .nobody: .nobody
        case .named(let name, let actors):
            try Identity(name, verifiedBy: verification, actor: IdentityActor(Self.identities(actors)))
        }
    }
}

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
