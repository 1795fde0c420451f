public import MultiIdentity

/// Decides synchronously whether a claim is believed.
///
/// Use ``SignatureVerifier``, ``mutualTLS(peer:allowing:)`` or ``trustedPeer(_:because:)``, or write your own. A
/// verifier that has to wait for an answer is an ``AsyncIdentityVerifier``.
public protocol IdentityVerifier: Sendable {
    /// Verifies a claim.
    ///
    /// - Parameter claim: The extracted claim.
    /// - Returns: How the claim was verified, for the record.
    /// - Throws: The reason why it is not believed.
    func verify(_ claim: IdentityClaim) throws -> IdentityVerification
}

extension IdentityClaim {
    /// Returns the claimed identity if a verifier believes the claim.
    ///
    /// - Parameter verifier: Decides whether the claim is believed.
    /// - Returns: The identity; its `Identity.verification` says how it was verified.
    /// - Throws: The error of the verifier; the package's verifiers throw ``IdentityClaimError``.
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

/// Decides asynchronously whether a claim is believed, for example to fetch the issuer's keys.
public protocol AsyncIdentityVerifier: Sendable {
    /// Verifies a claim.
    ///
    /// - Parameter claim: The extracted claim.
    /// - Returns: How the claim was verified, for the record.
    /// - Throws: The reason why it is not believed.
    nonisolated(nonsending) func verify(_ claim: IdentityClaim) async throws -> IdentityVerification
}

extension IdentityClaim {
    /// Returns the claimed identity if an asynchronous verifier believes the claim.
    ///
    /// - Parameter verifier: Decides whether the claim is believed.
    /// - Returns: The identity; its `Identity.verification` says how it was verified.
    /// - Throws: The error of the verifier; the package's verifiers throw ``IdentityClaimError``.
    public nonisolated(nonsending) func verified(by verifier: some AsyncIdentityVerifier) async throws -> Identity {
        try identity(by: await verifier.verify(self))
    }
}
