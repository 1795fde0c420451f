import Foundation
import MultiIdentity
import MultiIdentityManagement
import Synchronization
import Testing

@testable import OpenIDConnect

/// `.ci/check-directory` starts the provider, and says where it and a user's browser are.
private let places = ProcessInfo.processInfo.environment["DIRECTORY_PROVIDER"]?.split(separator: " ").map(String.init)

@Suite("A provider that nobody here wrote", .enabled(if: places != nil)) struct CanailleTests {
    /// The way to it, which remembers the id tokens that it brought.
    private final class Watched: OpenIDTransport {
        let idTokens = Mutex<[String]>([])
        private let way = HTTPClientTransport()

        func send(_ request: OpenIDRequest, limit: Int) async throws -> OpenIDAnswer {
            struct Tokens: Decodable { let id_token: String? }
            let answer = try await way.send(request, limit: limit)
            if let token = try? JSONDecoder().decode(Tokens.self, from: answer.body).id_token {
                idTokens.withLock { $0.append(token) }
            }
            return answer
        }
    }

    private func settings(_ issuer: String, client: String = "tenants") throws -> OpenIDSettings {
        try OpenIDSettings(
            issuer: issuer,
            clientID: client,
            clientSecret: "a secret of the client",
            redirectURL: "http://127.0.0.1:1/back"
        )
    }

    /// Logs in as a person does, and returns what they come back with.
    private func logIn(at url: String) async throws -> [String: String] {
        let browser = try #require(places?.last)
        let request = OpenIDRequest(url: "\(browser)?url=\(TokenEndpoint.encoded(url))", fields: [:], form: nil)
        let answer = try await HTTPClientTransport().send(request, limit: 65_536)
        let back = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 200, "\(back)")
        let items = URLComponents(string: back)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }

    @Test(
        "logs a user in, with an id token that is good for this log-in and this client alone, and refreshes their tokens"
    )
    func logsAUserIn() async throws {
        let (issuer, watched) = (try #require(places?.first), Watched())
        let provider = OpenIDProvider(try settings(issuer), transport: watched)
        let login = try await provider.authorization()
        let back = try await logIn(at: login.url)
        #expect(back["state"] == login.state)
        let code = try #require(back["code"])
        let tokens = try await provider.tokens(code: code, state: login.state, issuer: back["iss"])
        #expect(try tokens.identity == Identity("ada") && tokens.subject == "ada" && tokens.refreshToken != nil)

        // Its own id token, once more: of this log-in and this client, and of no other.
        let token = try #require(watched.idTokens.withLock { $0.first })
        let query = URLComponents(string: login.url)?.queryItems ?? []
        let nonce = try #require(query.first { $0.name == "nonce" }?.value)
        let verifier = IDTokenVerifier(try settings(issuer), keys: provider.keys)
        #expect(try await verifier.verify(token, nonce: nonce).subject == "ada")
        func refusal(_ body: () async throws -> Void) async -> OpenIDError.Code? { await TestedProvider.refusal(body) }
        #expect(await refusal { _ = try await verifier.verify(token, nonce: "another") } == .nonce)
        let other = IDTokenVerifier(try settings(issuer, client: "another"), keys: provider.keys)
        #expect(await refusal { _ = try await other.verify(token, nonce: nonce) } == .audience)
        let late = IDTokenVerifier(try settings(issuer), keys: provider.keys, now: { Date() + 10 * 86_400 })
        #expect(await refusal { _ = try await late.verify(token, nonce: nonce) } == .time)
        let forged = token.dropLast(2) + (token.hasSuffix("AA") ? "BA" : "AA")
        #expect(await refusal { _ = try await verifier.verify(String(forged), nonce: nonce) } == .invalidToken)
        let again = await refusal { _ = try await provider.tokens(code: code, state: login.state, issuer: back["iss"]) }
        #expect(again == .unknownState)

        let credentials = OpenIDCredentials(provider, now: { tokens.expires })
        try await credentials.signIn(tokens)
        let found = try await credentials.credential(for: tokens.identity, prompting: false, settings: .standard)
        #expect(found != nil && found?.token != tokens.accessToken)
    }

    @Test("takes no code without the secret that belongs to it, and no log-in from elsewhere") func takesNoCode()
        async throws
    {
        let issuer = try #require(places?.first)
        let provider = OpenIDProvider(try settings(issuer))
        let (mine, theirs) = (try await provider.authorization(), try await provider.authorization())
        let back = try await logIn(at: theirs.url)
        let stolen = await TestedProvider.refusal {
            _ = try await provider.tokens(code: try #require(back["code"]), state: mine.state, issuer: back["iss"])
        }
        #expect(stolen == .refused, "PKCE")
        let unnamed = await TestedProvider.refusal {
            _ = try await provider.tokens(code: try #require(back["code"]), state: theirs.state)
        }
        #expect(unnamed == .issuer, "it says that it names itself, and did not")
    }
}
