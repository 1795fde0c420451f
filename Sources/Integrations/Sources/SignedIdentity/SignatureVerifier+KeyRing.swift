#if Signing
import MultiIdentity
public import MultiIdentityCarriers

extension SignatureVerifier {
    /// Believes what these issuers signed for this service with HMAC-SHA256, each with a key of its own ring.
    ///
    /// - Parameters:
    ///   - audience: How this service names itself.
    ///   - issuers: The keys of each service that may speak for users, by its name.
    ///   - maximumLifetime: The longest time that a claim may still be good for.
    ///   - leeway: How far the clocks of both machines may differ.
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
            // The verifier let nobody through who is not among the issuers, and the key says which algorithm it is for.
            guard let keyID = signature.keyID, let keys = issuers[signature.issuer],
                let isValid = keys.isValid(signature.signature, for: signature.bytes, keyID: keyID)
            else { throw UnknownKeyError(issuer: signature.issuer, keyID: signature.keyID) }
            return isValid
        }
    }
}
#endif
