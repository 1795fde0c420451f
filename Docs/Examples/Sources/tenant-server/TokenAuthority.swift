import Foundation
import JWTKit

/// Makes and verifies the tokens of this server with one shared secret (HS256).
///
/// A server that does not issue its own tokens should use a public key instead: add it to `keys`; nothing else changes.
struct TokenAuthority: Sendable {
    static let issuer = "https://login.example"
    static let audience = "tenant-server"

    private let keys: JWTKeyCollection

    /// - Parameter secret: At least 32 bytes, as required by RFC 7518, 3.2.
    init(secret: String) async {
        precondition(secret.utf8.count >= 32, "The secret needs 32 bytes or more.")
        keys = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
    }

    func token(for user: String, lifetime: Duration = .seconds(3_600)) async throws -> String {
        let end = Date(timeIntervalSinceNow: Double(lifetime.components.seconds))
        return try await keys.sign(Claims(iss: Self.issuer, aud: Self.audience, sub: user, exp: end))
    }

    /// Returns the user of a token.
    ///
    /// - Throws: `JWTError` if its signature, issuer, audience or time is invalid.
    func user(of token: String) async throws -> String {
        try await keys.verify(token, as: Claims.self).sub
    }

    /// All of these are required, and checked.
    private struct Claims: JWTPayload {
        let iss: String
        let aud: String
        let sub: String
        let exp: Date

        /// Called once the signature is verified.
        func verify(using algorithm: some JWTAlgorithm) throws {
            guard iss == TokenAuthority.issuer, aud == TokenAuthority.audience else {
                throw JWTError.claimVerificationFailure(failedClaim: nil, reason: "It is for another service.")
            }
            try ExpirationClaim(value: exp).verifyNotExpired()
        }
    }
}
