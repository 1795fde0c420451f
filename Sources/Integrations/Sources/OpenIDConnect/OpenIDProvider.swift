#if OpenIDConnect
public import Foundation
@_exported public import IssuerKeys
import MultiIdentity

/// An OpenID Connect provider that logs users in with the code flow and PKCE, and discovers its document and keys.
///
/// ```swift
/// let login = try await provider.authorization()             // send the user to login.url, and login.state into a cookie
/// let tokens = try await provider.tokens(code: code, state: state)     // when they come back with the same state
/// ```
public actor OpenIDProvider {
    /// A login that has begun.
    public struct Authorization: Hashable, Sendable {
        /// The URL for the user.
        public let url: String
        /// The state with which the user comes back.
        ///
        /// Keep it in a cookie of the user's browser, and refuse a user without it: otherwise attackers could log others in as themselves.
        public let state: String
    }

    /// The provider's keys, for ``IDTokenVerifier`` and for everything else that it signs.
    public nonisolated let keys: IssuerKeys

    private let settings: OpenIDSettings
    private let endpoint: TokenEndpoint
    private let discovery: ProviderDiscovery
    private let verifier: IDTokenVerifier
    private let now: @Sendable () -> Date
    private var pending: PendingLogins

    /// Creates a provider, which sends no request before it is needed.
    ///
    /// - Parameters:
    ///   - settings: The provider, and this program's registration there.
    ///   - transport: The transport of requests.
    ///   - intervals: The times for fetching its keys.
    ///   - now: The time of day, for tests.
    public init(
        _ settings: OpenIDSettings,
        transport: any OpenIDTransport = HTTPClientTransport(),
        keysEvery intervals: IssuerKeys.Intervals = IssuerKeys.Intervals(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        let discovery = ProviderDiscovery(issuer: settings.issuer, transport: transport, now: now)
        self.settings = settings
        self.discovery = discovery
        self.now = now
        keys = IssuerKeys(every: intervals, now: now) { try await discovery.keySet() }
        verifier = IDTokenVerifier(settings, keys: keys, now: now)
        endpoint = TokenEndpoint(settings: settings, transport: transport)
        pending = PendingLogins(limit: 10_000)
    }

    /// Begins a login, for which the user has ten minutes.
    ///
    /// - Parameter maximumAge: The longest time since the user authenticated at the provider, if there is a limit.
    /// - Returns: The URL for the user, and the state.
    /// - Throws: ``OpenIDError`` if the provider's document is not available.
    public func authorization(maximumAge: Duration? = nil) async throws(OpenIDError) -> Authorization {
        let document = try await discovery.document()
        let state = PendingLogin.secret()
        let login = PendingLogin(
            nonce: PendingLogin.secret(),
            maximumAge: maximumAge,
            expires: now().addingTimeInterval(600)
        )
        pending.add(login, state: state, now: now())
        var query = [
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", settings.redirectURL),
            ("scope", settings.scopes.joined(separator: " ")), ("state", state), ("nonce", login.nonce),
            ("code_challenge", login.challenge), ("code_challenge_method", "S256"),
        ]
        if let maximumAge { query.append(("max_age", "\(maximumAge.components.seconds)")) }
        let url = document.authorization_endpoint
        return Authorization(
            url: url + (url.contains("?") ? "&" : "?") + TokenEndpoint.encoded(query),
            state: state
        )
    }

    /// Ends a login: exchanges its code, and verifies the ID token.
    ///
    /// A state can be used once, whatever the result.
    ///
    /// - Parameters:
    ///   - code: The code with which the user came back.
    ///   - state: The state, which has to equal the one in the user's cookie.
    ///   - issuer: The `iss` with which the user came back, if any (RFC 9207).
    /// - Returns: The identity with its tokens.
    /// - Throws: ``OpenIDError``.
    public func tokens(code: String, state: String, issuer: String? = nil) async throws(OpenIDError) -> OpenIDTokens {
        guard let login = pending.take(state, now: now()) else {
            throw OpenIDError(.unknownState, "No login is waiting for this. Begin a new one.")
        }
        let document = try await discovery.document()
        guard (issuer ?? settings.issuer) == settings.issuer,
            issuer != nil || document.authorization_response_iss_parameter_supported != true
        else { throw OpenIDError(.issuer, "The user came back from another provider.") }
        let answer = try await endpoint.tokens(
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", settings.redirectURL),
                ("code_verifier", login.verifier),
            ],
            document
        )
        guard let token = answer.id_token else { throw OpenIDError(.invalidToken, "The provider sent no ID token.") }
        let verified = try await verifier.verify(token, nonce: login.nonce, maximumAge: login.maximumAge)
        return tokens(answer, of: verified, refreshToken: nil)
    }

    /// Requests new tokens with the refresh token of earlier ones.
    ///
    /// - Parameter tokens: The earlier tokens; their refresh token may be invalid afterwards.
    /// - Returns: The new ones, for the same identity and subject.
    /// - Throws: ``OpenIDError``; `refused` if the user has to log in again.
    public func refresh(_ tokens: OpenIDTokens) async throws(OpenIDError) -> OpenIDTokens {
        guard let refreshToken = tokens.refreshToken else {
            throw OpenIDError(.refused, "The provider sent no refresh token. Log in again.")
        }
        let answer = try await endpoint.tokens(
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken)],
            discovery.document()
        )
        let before = VerifiedIDToken(identity: tokens.identity, subject: tokens.subject)
        if let token = answer.id_token {
            let now = try await verifier.verify(token, nonce: nil)
            // The subject decides: a name may have been given to another user.
            guard now == before else {
                throw OpenIDError(.otherSubject, "The refreshed tokens are another user's. Log in again.")
            }
        }
        return self.tokens(answer, of: before, refreshToken: refreshToken)
    }

    private func tokens(
        _ answer: TokenEndpoint.Answer,
        of verified: VerifiedIDToken,
        refreshToken: String?
    ) -> OpenIDTokens {
        OpenIDTokens(
            identity: verified.identity,
            subject: verified.subject,
            accessToken: answer.access_token,
            // Tokens without a lifetime are refreshed soon.
            expires: now().addingTimeInterval(min(max(answer.expires_in ?? 300, 0), 86_400)),
            refreshToken: answer.refresh_token ?? refreshToken
        )
    }
}

extension OpenIDProvider {
    /// Returns the keys of an issuer that publishes them at a URL, such as an issuer of security events.
    ///
    /// - Parameters:
    ///   - url: The URL of the set; HTTPS, or this machine.
    ///   - transport: The transport of requests.
    /// - Returns: The keys, fetched when they are needed.
    /// - Throws: ``OpenIDError`` for any other URL.
    public static func keys(
        at url: String,
        transport: any OpenIDTransport = HTTPClientTransport()
    ) throws(OpenIDError) -> IssuerKeys {
        guard OpenIDSettings.isSafe(url) else {
            throw OpenIDError(.settings, "The URL of the keys is neither HTTPS nor on this machine.")
        }
        return IssuerKeys { try await ProviderDiscovery.keySet(at: url, by: transport) }
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"OpenIDConnect\"])")
#endif
