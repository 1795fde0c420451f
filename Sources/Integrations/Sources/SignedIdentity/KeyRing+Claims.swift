#if Signing
import MultiIdentity
public import MultiIdentityCarriers

extension IdentitySigning {
    /// Signs claims for one other service with HMAC-SHA256, so that it knows which service claims an identity.
    ///
    /// The key is shared, and both sides can sign: give each pair of services its own ring, so that a stolen one
    /// works with one service only.
    ///
    /// - Parameters:
    ///   - issuer: This service's name.
    ///   - audience: The other service's name.
    ///   - keys: The shared keys; the first one signs.
    ///   - lifetime: How long a claim is valid.
    ///   - now: The time since 1970, for tests.
    /// - Returns: The signing, for every claim.
    /// - Throws: `IdentityCarrierError` if these values cannot be sent.
    public static func hmac(
        issuer: String,
        audience: String,
        keys: KeyRing,
        lifetime: Duration = .seconds(60),
        now: (@Sendable () -> Duration)? = nil
    ) throws(IdentityCarrierError) -> IdentitySigning {
        try IdentitySigning(
            issuer: issuer,
            audience: audience,
            keyID: keys.currentID,
            lifetime: lifetime,
            now: now,
            sign: { bytes in keys.code(for: bytes) }
        )
    }
}

extension SignatureVerifier {
    /// Accepts claims that these issuers signed for this service with HMAC-SHA256, each with a key of its own ring.
    ///
    /// - Parameters:
    ///   - audience: This service's name.
    ///   - issuers: The keys of each service that may speak for users, by its name.
    ///   - maximumLifetime: The longest time for which a claim may still be valid.
    ///   - leeway: The accepted difference of both clocks.
    ///   - now: The time since 1970, for tests.
    /// - Returns: The verifier, for every claim.
    public static func hmac(
        audience: String,
        issuers: [String: KeyRing],
        maximumLifetime: Duration = .seconds(300),
        leeway: Duration = .seconds(5),
        now: (@Sendable () -> Duration)? = nil
    ) -> SignatureVerifier {
        SignatureVerifier(
            audience: audience,
            issuers: issuers.keys.sorted(),
            maximumLifetime: maximumLifetime,
            leeway: leeway,
            now: now
        ) { signature in
            // The verifier accepts only these issuers, and the key determines the algorithm.
            guard let keyID = signature.keyID, let keys = issuers[signature.issuer],
                let isValid = keys.isValid(signature.signature, for: signature.bytes, keyID: keyID)
            else { throw UnknownKeyError(issuer: signature.issuer, keyID: signature.keyID) }
            return isValid
        }
    }
}

/// A claim names a key that its issuer's ring does not have, or no key: it is not accepted.
public struct UnknownKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The signer, as the claim says.
    public let issuer: String
    /// The key that signed, as the claim says.
    public let keyID: String?

    /// Creates the error for a claim that names a missing key.
    public init(issuer: String, keyID: String?) {
        self.issuer = issuer
        self.keyID = keyID
    }

    /// A sentence with the missing key, and what to do; an invalid key ID is not shown, since it is not verified.
    public var description: String {
        let key = keyID.map { KeyRing.isID($0) ? "the key \"\($0)\"" : "an invalid key ID" } ?? "no key"
        return """
            The claim names \(key), which is not in the ring of its issuer here. A new key has to stand in every \
            verifier's ring before it signs.
            """
    }
}
#endif
