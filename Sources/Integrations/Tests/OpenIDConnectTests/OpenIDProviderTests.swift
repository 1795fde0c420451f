import Foundation
import MultiIdentity
import OpenIDConnect
import Synchronization
import Testing

@Suite("A log-in") struct OpenIDProviderTests {
    @Test(
        "ends in the identity that the provider names, and its tokens are never shown",
        arguments: [nil, "the secret & more"]
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
        #expect(!form.contains("secret"))
        if secret != nil {
            let basic = Data("tenants:the%20secret%20%26%20more".utf8).base64EncodedString()
            #expect(request.fields["Authorization"] == "Basic \(basic)" && !form.contains("client_id"))
        } else {
            #expect(request.fields["Authorization"] == nil && form.contains("client_id=tenants"))
        }
    }

    @Test("is over with its first answer, whatever comes of it: nothing of it can be sent again") func isOver()
        async throws
    {
        let tested = try await TestedProvider()
        let login = try await tested.provider.authorization()
        let code = try tested.made.logIn(at: login.url)
        _ = try await tested.provider.tokens(code: code, state: login.state)
        let again = await TestedProvider.code { _ = try await tested.provider.tokens(code: code, state: login.state) }
        #expect(again == .unknownState)
        let made = await TestedProvider.code { _ = try await tested.provider.tokens(code: code, state: "made up") }
        #expect(made == .unknownState)
        // One of another log-in: the state is the user's own, the code is somebody else's.
        let (mine, other) = (try await tested.provider.authorization(), try await tested.provider.authorization())
        let theirs = try tested.made.logIn(at: other.url)
        let mixed = await TestedProvider.code { _ = try await tested.provider.tokens(code: theirs, state: mine.state) }
        #expect(mixed == .refused, "PKCE: the code belongs to another secret")
        let failed = await TestedProvider.code {
            _ = try await tested.provider.tokens(code: try tested.made.logIn(at: mine.url), state: mine.state)
        }
        #expect(failed == .unknownState, "a failed one is over, too")
    }

    @Test("has ten minutes") func hasTenMinutes() async throws {
        let tested = try await TestedProvider()
        let (first, second) = (try await tested.provider.authorization(), try await tested.provider.authorization())
        #expect(first.state != second.state && first.state.utf8.count == 43)
        let codes = try [first, second].map { try tested.made.logIn(at: $0.url) }
        tested.time.advance(by: 599)
        _ = try await tested.provider.tokens(code: codes[0], state: first.state)
        tested.time.advance(by: 1)
        let late = await TestedProvider.code {
            _ = try await tested.provider.tokens(code: codes[1], state: second.state)
        }
        #expect(late == .unknownState)
    }

    @Test(
        "is refused where the provider's id token is another's",
        arguments: [
            ("nonce", OpenIDError.Code.nonce), ("aud", .audience), ("iss", .issuer), ("azp", .authorizedParty),
        ]
    )
    func isRefused(claim: String, code: OpenIDError.Code) async throws {
        let tested = try await TestedProvider()
        tested.made.state.withLock { $0.claimChanges = [claim: "other"] }
        #expect(await TestedProvider.code { _ = try await tested.logIn() } == code)
        tested.made.state.withLock { $0.hasIDToken = false }
        #expect(await TestedProvider.code { _ = try await tested.logIn() } == .invalidToken)
    }

    @Test("is refused where its user comes from another provider") func isRefusedFromAnotherProvider() async throws {
        let tested = try await TestedProvider()
        for (issuer, code) in [("https://evil.example", OpenIDError.Code.issuer), (MadeProvider.issuer, nil)] {
            let login = try await tested.provider.authorization()
            let refused = await TestedProvider.code {
                _ = try await tested.provider.tokens(
                    code: tested.made.logIn(at: login.url),
                    state: login.state,
                    issuer: issuer
                )
            }
            #expect(refused == code)
        }
    }

    @Test("has the user prove again who they are, where that was long ago") func hasTheUserProve() async throws {
        let tested = try await TestedProvider()
        let login = try await tested.provider.authorization(maximumAge: .seconds(100))
        #expect(login.url.contains("&max_age=100"))
        tested.made.state.withLock { $0.claimChanges = ["auth_time": 1_799_999_000.0] }
        let refused = await TestedProvider.code {
            _ = try await tested.provider.tokens(code: tested.made.logIn(at: login.url), state: login.state)
        }
        #expect(refused == .authenticationAge)
    }

    @Test(
        "is not begun by a document that is another's, or leads out of HTTPS",
        arguments: [
            (["issuer": "https://login.example/"], OpenIDError.Code.discovery),
            (["issuer": "https://evil.example"], .discovery),
            (["token_endpoint": "http://login.example/token"], .discovery),
            (["jwks_uri": "http://login.example/keys"], .discovery),
            (["authorization_endpoint": "javascript:alert(1)"], .discovery),
            (["jwks_uri": "file:///etc/keys"], .discovery),
            (["token_endpoint": "https://ada@login.example/token"], .discovery), (["jwks_uri": nil], .discovery),
            (["token_endpoint": "https:///token"], .discovery),
            (["token_endpoint": "http://127.0.0.1.evil.example/"], .discovery),
        ] as [([String: String?], OpenIDError.Code)]
    )
    func isNotBegun(changes: [String: String?], code: OpenIDError.Code) async throws {
        let tested = try await TestedProvider()
        tested.made.state.withLock { $0.documentChanges = changes }
        #expect(await TestedProvider.code { _ = try await tested.provider.authorization() } == code)
        tested.made.state.withLock { $0.documentChanges = [:] }
        _ = try await tested.logIn()
    }

    @Test(
        "fails where the provider does not answer or redirects, and succeeds when it does again",
        arguments: [nil, 302, 500, 404]
    )
    func failsWhereTheProviderIsDown(status: Int?) async throws {
        let tested = try await TestedProvider()
        func set(_ isDown: Bool) {
            tested.made.state.withLock { state in
                state.isDown = isDown && status == nil
                state.status = isDown ? status ?? 200 : 200
            }
        }
        set(true)
        #expect(await TestedProvider.code { _ = try await tested.provider.authorization() } == .unavailable)
        set(false)
        let login = try await tested.provider.authorization()
        let code = try tested.made.logIn(at: login.url)
        set(true)
        let failed = await TestedProvider.code { _ = try await tested.provider.tokens(code: code, state: login.state) }
        #expect(failed == .unavailable)
        set(false)
        _ = try await tested.logIn()
    }

    @Test("takes an issuer of HTTPS or of this machine, and no other") func takesAnIssuer() throws {
        for good in [
            "https://login.example", "https://login.example/tenant", "http://127.0.0.1:5000", "http://localhost",
            "http://[::1]:80",
        ] {
            _ = try TestedProvider.settings(issuer: good)
        }
        for bad in [
            "http://login.example", "ftp://localhost", "login.example", "", "https://", "https://login.example?a",
            "http://127.0.0.1.evil.example", "https://a@b",
        ] {
            #expect(throws: OpenIDError.self, "\(bad)") { try TestedProvider.settings(issuer: bad) }
        }
        #expect(throws: OpenIDError.self) { try TestedProvider.settings(client: "") }
    }
}
