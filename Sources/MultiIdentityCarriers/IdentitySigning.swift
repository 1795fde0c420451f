/// The signing of claims on their way out: by whom, for whom, for how long, and the caller's cryptography.
///
/// ```swift
/// let signing = try IdentitySigning(issuer: "web", audience: "orders", keyID: "2026-11") { bytes in
///     Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
/// }
/// ```
///
/// A signature holds for its audience alone, and until it expires; until then anyone who reads it can send it again. An
/// audience can be as narrow as need be, down to one message: `orders/job 17`.
public struct IdentitySigning: Sendable {
    private let terms: SigningTerms
    private let lifetime: SigningLifetime
    private let sign: @Sendable ([UInt8]) throws -> [UInt8]

    /// A signing for one audience.
    ///
    /// - Parameters:
    ///   - issuer: Who signs, as the verifier names them: 1 to 1,024 bytes, as a name.
    ///   - audience: Who is to believe it, as they name themselves.
    ///   - keyID: Which of the issuer's keys signs, for the verifier to look up.
    ///   - lifetime: How long the claim is good for, 1 second to 100 years; its end is rounded down to a whole second.
    ///   - now: The time since 1970-01-01T00:00:00Z; the system's clock, if `nil`.
    ///   - sign: Gives the signature of exactly these bytes, which ``IdentitySignature`` describes.
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
