import Foundation
import OpenIDConnect
import Synchronization
import Testing

/// A simulated provider, and the program that logs users in with it.
struct TestedProvider: Sendable {
    let time = TestedTime()
    let made: MadeProvider
    let provider: OpenIDProvider
    let key: MadeKey

    init(_ algorithm: String = "ES256", identity: OpenIDSettings.IdentityClaim = .email, secret: String? = nil)
        async throws
    {
        key = try await MadeKey(algorithm, id: "one")
        let (time, made) = (time, MadeProvider(time: time, keys: [key]))
        self.made = made
        provider = OpenIDProvider(
            try Self.settings(identity: identity, secret: secret),
            transport: made,
            now: { time.now }
        )
    }

    static func settings(
        issuer: String = MadeProvider.issuer,
        client: String = "tenants",
        identity: OpenIDSettings.IdentityClaim = .email,
        secret: String? = nil
    ) throws -> OpenIDSettings {
        try OpenIDSettings(
            issuer: issuer,
            clientID: client,
            clientSecret: secret,
            redirectURL: "https://tenants.example/back?a=1&b=2",
            identity: identity,
            scopes: ["email"]
        )
    }

    func verifier(identity: OpenIDSettings.IdentityClaim = .email) throws -> IDTokenVerifier {
        let time = time
        return IDTokenVerifier(try Self.settings(identity: identity), keys: provider.keys, now: { time.now })
    }

    func logIn() async throws -> OpenIDTokens {
        let login = try await provider.authorization()
        return try await provider.tokens(code: made.logIn(at: login.url), state: login.state)
    }

    /// Returns the code of the error of `body`, which must contain nothing of a token.
    static func code(_ body: () async throws -> Void) async -> OpenIDError.Code? {
        do { try await body() } catch {
            for secret in ["ada", "248289", "access-", "refresh-", "code-", "eyJ"] {
                #expect(!"\(error)".contains(secret), "\(error)")
            }
            #expect(error is OpenIDError, "\(error)")
            return (error as? OpenIDError)?.code
        }
        return nil
    }
}

/// The time of day in a test.
final class TestedTime: Sendable {
    private let seconds = Mutex(1_800_000_000.0)

    var now: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }

    func advance(by duration: Double) { seconds.withLock { $0 += duration } }
}
