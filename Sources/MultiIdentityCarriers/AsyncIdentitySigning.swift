/// The signing of claims, as ``IdentitySigning``, by somebody who has to be asked: a key service, a hardware module.
public struct AsyncIdentitySigning: Sendable {
    private let terms: SigningTerms
    private let lifetime: SigningLifetime
    private let sign: nonisolated(nonsending) @Sendable ([UInt8]) async throws -> [UInt8]

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
        sign: nonisolated(nonsending) @escaping @Sendable (_ bytes: [UInt8]) async throws -> [UInt8]
    ) throws(IdentityCarrierError) {
        terms = try SigningTerms(issuer: issuer, audience: audience, keyID: keyID)
        self.lifetime = try SigningLifetime(lifetime, now: now ?? WallClock.now)
        self.sign = sign
    }

    nonisolated(nonsending) func signature(of subject: ClaimedSubject, in member: String) async throws
        -> IdentitySignature
    {
        var signature = IdentitySignature([], of: subject, in: member, under: terms, until: try lifetime.expiry())
        signature.signature = try SigningLifetime.checked(await sign(signature.bytes))
        return signature
    }
}
