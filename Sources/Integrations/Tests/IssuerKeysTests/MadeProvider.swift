import Crypto
import Foundation
import IssuerKeys
import MultiIdentity
import OpenIDConnect
import Synchronization
import Testing

/// A simulated provider that a test controls.
final class MadeProvider: OpenIDTransport {
    struct Down: Error {}

    struct State {
        var keys: [MadeKey] = []
        /// Changes that make the document invalid.
        var documentChanges: [String: String?] = [:]
        /// An answer that replaces the key set.
        var keySet: String?
        var isDown = false
        /// Withholds answers while it is true.
        var isSilent = false
        var status = 200
        var requests: [OpenIDRequest] = []
        /// The identities of its requests.
        var askers: Set<Identity?> = []
        /// Changes to the claims of the next ID token; empty for a valid one.
        var claimChanges: [String: (any Sendable)?] = [:]
        var hasIDToken = true
        var tokenFailure: String?
        var logins: [String: (nonce: String, challenge: String)] = [:]
        var refreshTokens: Set<String> = []
        var number = 0
    }

    static let issuer = "https://login.example"
    let state = Mutex(State())
    let time: TestedTime

    init(time: TestedTime, keys: [MadeKey]) {
        self.time = time
        state.withLock { $0.keys = keys }
    }

    /// Returns the number of requests for a URL.
    func count(_ path: String) -> Int {
        state.withLock { state in state.requests.count { $0.url == Self.issuer + path } }
    }

    /// Returns the claims of a valid token, with changes.
    func claims(nonce: String?, _ changes: [String: (any Sendable)?] = [:]) -> [String: Any] {
        let now = time.now.timeIntervalSince1970
        var claims: [String: Any] = [
            "iss": Self.issuer, "aud": "tenants", "sub": "248289", "iat": now, "exp": now + 300, "auth_time": now - 10,
            "email": "ada@contoso.com", "email_verified": true, "preferred_username": "ada",
        ]
        claims["nonce"] = nonce
        for (name, value) in changes { claims[name] = value }
        return claims
    }

    /// Logs in a user who was sent to a URL, and returns the code of the redirect.
    func logIn(at url: String) throws -> String {
        let items = try #require(URLComponents(string: url)?.queryItems)
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        #expect(values["response_type"] == "code" && values["client_id"] == "tenants")
        #expect(values["redirect_uri"] == "https://tenants.example/back?a=1&b=2")
        #expect(values["code_challenge_method"] == "S256" && values["scope"] == "openid email")
        let (nonce, challenge) = (try #require(values["nonce"]), try #require(values["code_challenge"]))
        return state.withLock { state in
            state.number += 1
            state.logins["code-\(state.number)"] = (nonce, challenge)
            return "code-\(state.number)"
        }
    }

    func send(_ request: OpenIDRequest, limit: Int) async throws -> OpenIDAnswer {
        state.withLock { state in
            state.requests.append(request)
            state.askers.insert(Identity.current)
        }
        // Other tasks run in between.
        for _ in 0..<5 { await Task.yield() }
        while state.withLock({ $0.isSilent }) { await Task.yield() }
        return try state.withLock { state in
            if state.isDown { throw Down() }
            guard state.status == 200 else { return OpenIDAnswer(status: state.status, body: Data()) }
            switch request.url {
            case Self.issuer + "/.well-known/openid-configuration": return try Self.answer(Self.document(state))
            case Self.issuer + "/keys" where state.keySet != nil:
                return OpenIDAnswer(status: 200, body: Data((state.keySet ?? "").utf8))
            case Self.issuer + "/keys": return try Self.answer(["keys": state.keys.map(\.published)])
            case Self.issuer + "/token": return try tokens(Self.form(request), &state)
            default: return OpenIDAnswer(status: 404, body: Data())
            }
        }
    }

    private static func answer(_ object: Any, status: Int = 200) throws -> OpenIDAnswer {
        OpenIDAnswer(status: status, body: try JSONSerialization.data(withJSONObject: object))
    }

    private static func document(_ state: State) -> [String: String] {
        var document = [
            "issuer": issuer, "authorization_endpoint": issuer + "/authorize", "token_endpoint": issuer + "/token",
            "jwks_uri": issuer + "/keys",
        ]
        for (name, value) in state.documentChanges { document[name] = value }
        return document
    }

    private static func form(_ request: OpenIDRequest) -> [String: String] {
        let items = URLComponents(string: "https://x/?" + (request.form ?? ""))?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }

    private func tokens(_ form: [String: String], _ state: inout State) throws -> OpenIDAnswer {
        let refused = try Self.answer(["error": "invalid_grant"], status: 400)
        if let failure = state.tokenFailure { return try Self.answer(["error": failure], status: 401) }
        var nonce: String?
        if form["grant_type"] == "authorization_code" {
            guard let login = state.logins.removeValue(forKey: form["code"] ?? "") else { return refused }
            let challenge = Data(SHA256.hash(data: Data((form["code_verifier"] ?? "").utf8))).base64URL
            guard challenge == login.challenge, form["redirect_uri"] == "https://tenants.example/back?a=1&b=2" else {
                return refused
            }
            nonce = login.nonce
        } else {
            guard state.refreshTokens.remove(form["refresh_token"] ?? "") != nil else { return refused }
        }
        state.number += 1
        let refresh = "refresh-\(state.number)"
        state.refreshTokens.insert(refresh)
        var answer: [String: Any] = [
            "access_token": "access-\(state.number)", "token_type": "Bearer", "expires_in": 600,
            "refresh_token": refresh,
        ]
        if state.hasIDToken { answer["id_token"] = try state.keys[0].token(claims(nonce: nonce, state.claimChanges)) }
        return try Self.answer(answer)
    }
}
