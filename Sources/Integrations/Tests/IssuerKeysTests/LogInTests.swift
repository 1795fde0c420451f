import Foundation
import MultiIdentity
import OpenIDConnect
import Synchronization
import Testing

@Suite("A log-in") struct LogInTests {
    @Test(
        "ends in the identity that the provider names, and its tokens are never shown",
        arguments: [nil, "a secret & more"]
    )
    func endsInTheIdentity(secret: String?) async throws {
        let tested = try await TestedProvider(secret: secret)
        let tokens = try await tested.logIn()
        #expect(try tokens.identity == Identity("ada@contoso.com") && tokens.subject == "248289")
        #expect(tokens.accessToken == "access-2" && tokens.refreshToken == "refresh-2")
        #expect(tokens.expires == tested.time.now.addingTimeInterval(600))
        var shown = "\(tokens) \(String(reflecting: tokens))"
        dump(tokens, to: &shown)
        #expect(!shown.contains("access-") && !shown.contains("refresh-"))
        let request = try #require(tested.made.state.withLock { $0.requests.last { $0.form != nil } })
        let form = try #require(request.form)
        #expect(!form.contains("secret") && form.contains("client_id=tenants") == (secret == nil))
        let basic = secret.map { _ in "Basic " + Data("tenants:a%20secret%20%26%20more".utf8).base64EncodedString() }
        #expect(request.fields["Authorization"] == basic)
    }

    @Test("is over with its first answer, and after ten minutes") func isOver() async throws {
        let tested = try await TestedProvider()
        func code(_ code: String, _ login: OpenIDProvider.Authorization) async -> OpenIDError.Code? {
            await TestedProvider.code { _ = try await tested.provider.tokens(code: code, state: login.state) }
        }
        let first = try await tested.provider.authorization()
        let used = try tested.made.logIn(at: first.url)
        #expect(await code(used, first) == nil)
        #expect(await code(used, first) == .unknownState)
        // The state is the user's own, the code is another user's.
        let (mine, other) = (try await tested.provider.authorization(), try await tested.provider.authorization())
        #expect(await code(try tested.made.logIn(at: other.url), mine) == .refused, "PKCE")
        #expect(await code(try tested.made.logIn(at: mine.url), mine) == .unknownState, "a failed one is over, too")
        let (last, late) = (try await tested.provider.authorization(), try await tested.provider.authorization())
        #expect(last.state != late.state && last.state.utf8.count == 43)
        tested.time.advance(by: 599)
        #expect(await code(try tested.made.logIn(at: last.url), last) == nil)
        tested.time.advance(by: 1)
        #expect(await code(try tested.made.logIn(at: late.url), late) == .unknownState)
    }

    @Test("is refused if the ID token is another's or missing, or the user comes from another provider")
    func isRefused() async throws {
        let tested = try await TestedProvider()
        for (claim, code) in [("nonce", OpenIDError.Code.nonce), ("aud", .audience), ("iss", .issuer)] {
            tested.made.state.withLock { $0.claimChanges = [claim: "other"] }
            #expect(await TestedProvider.code { _ = try await tested.logIn() } == code)
        }
        tested.made.state.withLock { ($0.claimChanges, $0.hasIDToken) = ([:], false) }
        #expect(await TestedProvider.code { _ = try await tested.logIn() } == .invalidToken)
        let login = try await tested.provider.authorization()
        let code = await TestedProvider.code {
            let code = try tested.made.logIn(at: login.url)
            _ = try await tested.provider.tokens(code: code, state: login.state, issuer: "https://evil.example")
        }
        #expect(code == .issuer)
    }

    @Test(
        "does not begin with another issuer's document, or one without HTTPS",
        arguments: [
            ["issuer": "https://login.example/"], ["issuer": "https://evil.example"],
            ["token_endpoint": "http://login.example/token"], ["jwks_uri": "http://login.example/keys"],
            ["authorization_endpoint": "javascript:alert(1)"], ["jwks_uri": "file:///etc/keys"], ["jwks_uri": nil],
            ["token_endpoint": "https://ada@login.example/token"], ["token_endpoint": "https:///token"],
            ["token_endpoint": "http://127.0.0.1.evil.example/"],
        ] as [[String: String?]]
    )
    func isNotBegun(changes: [String: String?]) async throws {
        let tested = try await TestedProvider()
        tested.made.state.withLock { $0.documentChanges = changes }
        #expect(await TestedProvider.code { _ = try await tested.provider.authorization() } == .discovery)
        tested.made.state.withLock { $0.documentChanges = [:] }
        _ = try await tested.logIn()
    }

    @Test("fails while the provider does not answer or redirects", arguments: [nil, 302, 500, 404])
    func failsWhereTheProviderIsDown(status: Int?) async throws {
        let tested = try await TestedProvider()
        tested.made.state.withLock { ($0.isDown, $0.status) = (status == nil, status ?? 200) }
        #expect(await TestedProvider.code { _ = try await tested.provider.authorization() } == .unavailable)
        tested.made.state.withLock { ($0.isDown, $0.status) = (false, 200) }
        _ = try await tested.logIn()
    }

    @Test("takes an issuer of HTTPS or of this machine, and no other") func takesAnIssuer() throws {
        for good in ["https://login.example/tenant", "http://127.0.0.1:5000", "http://localhost", "http://[::1]:80"] {
            _ = try TestedProvider.settings(issuer: good)
        }
        for bad in ["http://login.example", "ftp://localhost", "", "https://login.example?a", "https://a@b"] {
            #expect(throws: OpenIDError.self, "\(bad)") { try TestedProvider.settings(issuer: bad) }
        }
    }
}
