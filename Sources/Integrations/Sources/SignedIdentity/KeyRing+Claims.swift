#if Signing
import MultiIdentity
public import MultiIdentityCarriers

extension IdentitySigning {
    /// Signs claims for one other service with HMAC-SHA256, so that it knows which service claims an identity.
    ///
    /// The key is shared, and each side can sign: give each pair of services a ring of its own, and a stolen one
    /// speaks to one service alone.
    ///
    /// - Parameters:
    ///   - issuer: How this service names itself.
    ///   - audience: How the other one names itself.
    ///   - keys: What both share; the first one signs.
    ///   - lifetime: How long a claim is good for.
    ///   - now: The time since 1970, for tests.
    /// - Returns: The signing, for every claim.
    /// - Throws: `IdentityCarrierError` where the terms cannot be sent.
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

/// A claim names a key that its issuer's ring does not hold, or none: it is not believed.
public struct UnknownKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The signer, as the claim says.
    public let issuer: String
    /// The key that signed, as the claim says.
    public let keyID: String?

    /// A claim that names a key which is not there.
    public init(issuer: String, keyID: String?) {
        self.issuer = issuer
        self.keyID = keyID
    }

    /// A sentence with the missing key, and what to do; what is no key's id is not shown, since nobody vouched for it.
    public var description: String {
        let key = keyID.map { KeyRing.isID($0) ? "the key \"\($0)\"" : "a key by what is no key's id" } ?? "no key"
        return """
            The claim names \(key), which is not in the ring of its issuer here. A new key has to stand in every \
            verifier's ring before it signs.
            """
    }
}
#endif
