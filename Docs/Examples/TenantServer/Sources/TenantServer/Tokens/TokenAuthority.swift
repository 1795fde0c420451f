import Foundation
import JWTKit

/// The one who issues tokens, and the key by which they are known as its own.
///
/// HS256, a shared secret, is the cheapest to check: what the package adds to a request then weighs most. A server that
/// does not issue its tokens itself had better hold a public key only.
public struct TokenAuthority: Sendable {
    let issuer: String
    let audience: String
    let keys: JWTKeyCollection

    /// - Parameters:
    ///   - secret: The key, at least 32 bytes.
    ///   - issuer: What `iss` has to be.
    ///   - audience: What `aud` has to contain: tokens for another service are refused.
    /// - Throws: ``SettingsError`` where the secret is too short.
    public init(secret: String, issuer: String, audience: String) async throws {
        guard secret.utf8.count >= 32 else {
            throw SettingsError(
                "The secret has \(secret.utf8.count) bytes, and HS256 needs 32 or more (RFC 7518, 3.2): set TENANT_JWT_SECRET."
            )
        }
        self.issuer = issuer
        self.audience = audience
        keys = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
    }

    /// A token for a user.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - scope: What it allows besides, as `operator`; separated by spaces.
    ///   - lifetime: For how long it is good.
    /// - Returns: The token, signed.
    /// - Throws: What signing throws.
    public func token(for user: String, scope: String? = nil, lifetime: Duration) async throws -> String {
        let claims = TenantClaims(
            iss: issuer,
            aud: TenantClaims.Audience(audience),
            sub: user,
            exp: Date(timeIntervalSinceNow: Double(lifetime.components.seconds)),
            scope: scope
        )
        return try await keys.sign(claims)
    }
}
