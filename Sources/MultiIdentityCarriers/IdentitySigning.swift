/// The signing of outgoing claims: issuer, audience, lifetime, and the caller's cryptography.
///
/// ```swift
/// let signing = try IdentitySigning(issuer: "web", audience: "orders", keyID: "2026-11") { bytes in
///     Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
/// }
/// ```
///
/// A signature is valid for its audience, until it expires; until then anyone who reads it can replay it. An audience
/// can be as narrow as one message: `orders/job 17`.
public struct IdentitySigning: Sendable {
    private let terms: SigningTerms
    private let lifetime: SigningLifetime
    private let sign: @Sendable ([UInt8]) throws -> [UInt8]

    /// Creates a signing for one audience.
    ///
    /// - Parameters:
    ///   - issuer: The signer, as the verifier names it: 1 to 1,024 bytes, like a name.
    ///   - audience: The verifier, as it names itself.
    ///   - keyID: The ID of the issuer's key, for the verifier to look up.
    ///   - lifetime: The lifetime of the claim, 1 second to 100 years; the expiry is rounded down to a whole second.
    ///   - now: The time since 1970-01-01T00:00:00Z; `nil` for the system's clock.
    ///   - sign: Returns the signature of exactly these bytes, which ``IdentitySignature`` describes.
    /// - Throws: ``IdentityCarrierError`` with the code `.invalidTerms`.
    public init(
        issuer: String,
        audience: String,
        keyID: String? = nil,
        lifetime: Duration = .seconds(60),
        now: (@Sendable () -> Duration)? = nil,
        sign: @escaping @Sendable (_ bytes: [UInt8]) throws -> [UInt8]
    ) throws(IdentityCarrierError) {
        terms = try SigningTerms(issuer: issuer, audience: audience, keyID: keyID)
        self.lifetime = try SigningLifetime(lifetime, now: now ?? WallClock.now)
        self.sign = sign
    }

    func signature(of subject: ClaimedSubject, in member: String) throws -> IdentitySignature {
        var signature = IdentitySignature([], of: subject, in: member, under: terms, until: try lifetime.expiry())
        signature.signature = try SigningLifetime.checked(sign(signature.bytes))
        return signature
    }
}
