#if OpenIDConnect
public import Foundation
public import IssuerKeys
public import MultiIdentity

/// The verified user of an ID token.
public struct VerifiedIDToken: Hashable, Sendable {
    /// The identity, from the claim that the settings select.
    public let identity: Identity
    /// The subject, which the issuer gives to no one else.
    public let subject: String
}

/// Verifies ID tokens of one issuer for one client (OpenID Connect Core 1.0, 3.1.3.7).
public struct IDTokenVerifier: Sendable {
    private let settings: OpenIDSettings
    private let keys: IssuerKeys
    private let now: @Sendable () -> Date

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - settings: The issuer and the client.
    ///   - keys: The issuer's keys.
    ///   - now: The time of day, for tests.
    public init(_ settings: OpenIDSettings, keys: IssuerKeys, now: @escaping @Sendable () -> Date = { Date() }) {
        self.settings = settings
        self.keys = keys
        self.now = now
    }

    /// The accepted difference of both clocks, in seconds.
    private static let leeway = 60.0

    /// Verifies a token: its signature, issuer, audience and times, and that it belongs to one login.
    ///
    /// - Parameters:
    ///   - token: The token, unchanged.
    ///   - nonce: The nonce of the login, used only once; `nil` for a refreshed token, whose nonce is not checked.
    ///   - maximumAge: The longest time since the user authenticated, if there is a limit.
    /// - Returns: The user.
    /// - Throws: ``OpenIDError``.
    public func verify(
        _ token: String,
        nonce: String?,
        maximumAge: Duration? = nil
    ) async throws(OpenIDError) -> VerifiedIDToken {
        let payload: Data
        do {
            // An access token of the same issuer is signed with the same keys, and has a type.
            payload = try await keys.payload(of: token, typed: ["jwt"], orUntyped: true)
        } catch { throw OpenIDError(error) }
        guard let claims = try? JSONDecoder().decode(IDTokenClaims.self, from: payload) else {
            throw OpenIDError(.invalidToken, "Its claims are not those of an ID token.")
        }
        guard claims.iss == settings.issuer else { throw OpenIDError(.issuer, "It has another issuer.") }
        guard claims.aud.names.contains(settings.clientID) else {
            throw OpenIDError(.audience, "It is for another client. Check the client's ID.")
        }
        guard claims.azp == settings.clientID || (claims.azp == nil && claims.aud.names.count == 1) else {
            throw OpenIDError(.authorizedParty, "It was issued to another client, or to several without naming one.")
        }
        try checkTimes(claims, maximumAge)
        if let nonce {
            guard claims.nonce == nonce else {
                throw OpenIDError(.nonce, "It belongs to another login. Log in again.")
            }
        }
        return VerifiedIDToken(identity: try identity(of: claims), subject: claims.sub)
    }

    private func checkTimes(_ claims: IDTokenClaims, _ maximumAge: Duration?) throws(OpenIDError) {
        let now = now().timeIntervalSince1970
        guard now < claims.exp + Self.leeway else {
            throw OpenIDError(.time, "It has expired. Check both clocks, or log in again.")
        }
        guard claims.iat <= now + Self.leeway, (claims.nbf ?? claims.iat) <= now + Self.leeway else {
            throw OpenIDError(.time, "It is from the future. Check both clocks.")
        }
        guard let maximumAge else { return }
        guard let loggedIn = claims.auth_time, loggedIn <= now + Self.leeway,
            now - loggedIn <= Double(maximumAge.components.seconds) + Self.leeway
        else {
            throw OpenIDError(.authenticationAge, "The user logged in too long ago, or the token does not say when.")
        }
    }

    private func identity(of claims: IDTokenClaims) throws(OpenIDError) -> Identity {
        let name: String? =
            switch settings.identity {
            case .subject: claims.sub
            case .email: claims.email_verified?.isTrue == true ? claims.email : nil
            case .preferredUsername: claims.preferred_username
            }
        guard !claims.sub.isEmpty, let name, let identity = try? Identity(name) else {
            throw OpenIDError(.identity, "The claim is missing or not a name, or the address is not verified.")
        }
        return identity
    }
}

/// The claims of an ID token that are used; not verified yet.
struct IDTokenClaims: Decodable {
    let iss: String
    let sub: String
    let aud: TokenAudience
    let azp: String?
    let exp: Double
    let iat: Double
    let nbf: Double?
    let auth_time: Double?
    let nonce: String?
    let email: String?
    let email_verified: Flag?
    let preferred_username: String?

    /// True only for `true` and the text "true", which some providers send (Apple, Cognito).
    struct Flag: Decodable {
        let isTrue: Bool

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            isTrue = (try? value.decode(Bool.self)) ?? ((try? value.decode(String.self)) == "true")
        }
    }
}
#endif
