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
#endif
