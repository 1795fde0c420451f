#if OpenIDConnect
public import Foundation
@_exported public import IssuerKeys
import MultiIdentity

/// A provider of OpenID Connect that logs users in: by the code flow with PKCE, its keys and its document found by themselves.
///
/// ```swift
/// let login = try await provider.authorization()             // send the user to login.url, and login.state into a cookie
/// let tokens = try await provider.tokens(code: code, state: state)     // when they come back with the same state
/// ```
public actor OpenIDProvider {
    /// A log-in that has begun.
    public struct Authorization: Hashable, Sendable {
        /// The URL that the user is sent to.
        public let url: String
        /// The state that the user comes back with.
        ///
        /// Keep it in a cookie of their browser, and take nobody who comes without: else somebody could log others in as themselves.
        public let state: String
    }

    /// The provider's keys, for ``IDTokenVerifier`` and for whatever else it signs.
    public nonisolated let keys: IssuerKeys

    private let settings: OpenIDSettings
    private let endpoint: TokenEndpoint
    private let discovery: ProviderDiscovery
    private let verifier: IDTokenVerifier
    private let now: @Sendable () -> Date
    private var pending: PendingLogins

    /// A provider, of which nothing is asked before it is needed.
    ///
    /// - Parameters:
    ///   - settings: The provider, and how this program is known there.
    ///   - transport: The way to it.
    ///   - intervals: The intervals by which its keys are fetched.
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

    /// Begins a log-in, which the user has ten minutes for.
    ///
    /// - Parameter maximumAge: The time since the user proved who they are at the provider, if there is a limit.
    /// - Returns: Where the user is to be sent.
    /// - Throws: ``OpenIDError`` where the provider's document cannot be had.
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

    /// Ends a log-in: exchanges its code, and verifies the id token.
    ///
    /// A state is good once, whatever comes of it.
    ///
    /// - Parameters:
    ///   - code: The code that the user came back with.
    ///   - state: The state, which is that of their cookie.
    ///   - issuer: The `iss` that the user came back with, if any (RFC 9207).
    /// - Returns: The identity with its tokens.
    /// - Throws: ``OpenIDError``.
    public func tokens(code: String, state: String, issuer: String? = nil) async throws(OpenIDError) -> OpenIDTokens {
        guard let login = pending.take(state, now: now()) else {
            throw OpenIDError(.unknownState, "No log-in is waiting for this. Begin a new one.")
        }
        let document = try await discovery.document()
        guard (issuer ?? settings.issuer) == settings.issuer,
            issuer != nil || document.authorization_response_iss_parameter_supported != true
        else { throw OpenIDError(.issuer, "The user comes from another provider than they were sent to.") }
        let answer = try await endpoint.tokens(
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", settings.redirectURL),
                ("code_verifier", login.verifier),
            ],
            document
        )
        guard let token = answer.id_token else { throw OpenIDError(.invalidToken, "The provider gave no id token.") }
        let verified = try await verifier.verify(token, nonce: login.nonce, maximumAge: login.maximumAge)
        return tokens(answer, of: verified, refreshToken: nil)
    }

    /// Asks for new tokens by the refresh token of others.
    ///
    /// - Parameter tokens: The tokens before; their refresh token may be good no more after this.
    /// - Returns: The new ones, of the same identity and subject.
    /// - Throws: ``OpenIDError``; `refused` where the user has to log in again.
    public func refresh(_ tokens: OpenIDTokens) async throws(OpenIDError) -> OpenIDTokens {
        guard let refreshToken = tokens.refreshToken else {
            throw OpenIDError(.refused, "The provider gave no refresh token. Log in again.")
        }
        let answer = try await endpoint.tokens(
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken)],
            discovery.document()
        )
        let before = VerifiedIDToken(identity: tokens.identity, subject: tokens.subject)
        if let token = answer.id_token {
            let now = try await verifier.verify(token, nonce: nil)
            // The subject decides: a name may have been given to another since.
            guard now == before else {
                throw OpenIDError(.otherSubject, "The refreshed tokens are of another user. Log in again.")
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
            // Who does not say how long is asked again soon.
            expires: now().addingTimeInterval(min(max(answer.expires_in ?? 300, 0), 86_400)),
            refreshToken: answer.refresh_token ?? refreshToken
        )
    }
}

extension OpenIDProvider {
    /// The keys of an issuer that publishes them at a URL, as one of security events does.
    ///
    /// - Parameters:
    ///   - url: The URL of the set, of HTTPS or of this machine.
    ///   - transport: The way to it.
    /// - Returns: The keys, fetched when they are needed.
    /// - Throws: ``OpenIDError`` where the URL is another.
    public static func keys(
        at url: String,
        transport: any OpenIDTransport = HTTPClientTransport()
    ) throws(OpenIDError) -> IssuerKeys {
        guard OpenIDSettings.isSafe(url) else {
            throw OpenIDError(.settings, "The keys' URL is neither of HTTPS nor of this machine.")
        }
        return IssuerKeys { try await ProviderDiscovery.keySet(at: url, by: transport) }
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"OpenIDConnect\"])")
#endif
