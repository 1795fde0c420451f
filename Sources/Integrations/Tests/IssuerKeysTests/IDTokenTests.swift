import Crypto
import Foundation
import IssuerKeys
import MultiIdentity
import OpenIDConnect
import Testing

@Suite("An ID token") struct IDTokenTests {
    @Test("is accepted with each supported algorithm", arguments: ["RS256", "PS256", "ES256", "EdDSA"])
    func isBelieved(algorithm: String) async throws {
        let tested = try await TestedProvider(algorithm)
        let token = try tested.key.token(tested.made.claims(nonce: "n"))
        let ada = try Identity("Ada@contoso.com")
        #expect(try await tested.verifier().verify(token, nonce: "n").identity == ada)
        #expect(try await tested.verifier().verify(token, nonce: "n", maximumAge: .seconds(10)).subject == "248289")
        #expect(try await tested.verifier(identity: .subject).verify(token, nonce: "n").identity == Identity("248289"))
        #expect(
            try await tested.verifier(identity: .preferredUsername).verify(token, nonce: "n").identity
                == Identity("ada")
        )
        let several = try tested.key.token(
            tested.made.claims(nonce: "n", ["aud": ["tenants", "other"], "azp": "tenants"])
        )
        #expect(try await tested.verifier().verify(several, nonce: "n").identity == ada)
        let asText = try tested.key.token(tested.made.claims(nonce: "n", ["email_verified": "true"]))
        #expect(try await tested.verifier().verify(asText, nonce: "n").identity == ada)
    }

    /// Faults of a token, each with the code of its refusal.
    static let wrongClaims: [(String, [String: (any Sendable)?], OpenIDError.Code)] = {
        let now = TestedTime().now.timeIntervalSince1970
        return [
            ("another issuer", ["iss": "https://login.example/"], .issuer),
            ("no issuer", ["iss": nil], .invalidToken),
            ("another client", ["aud": "other"], .audience), ("no client", ["aud": [String]()], .audience),
            ("several clients", ["aud": ["tenants", "other"]], .authorizedParty),
            ("another's for us", ["azp": "other"], .authorizedParty),
            ("several, another's", ["aud": ["tenants", "other"], "azp": "other"], .authorizedParty),
            ("expired", ["exp": now - 61], .time), ("no end", ["exp": nil], .invalidToken),
            ("of the future", ["iat": now + 61], .time), ("no beginning", ["iat": nil], .invalidToken),
            ("not yet", ["nbf": now + 61], .time), ("a text for a time", ["exp": "\(now + 300)"], .invalidToken),
            ("another log-in", ["nonce": "m"], .nonce), ("no log-in", ["nonce": nil], .nonce),
            ("logged in long ago", ["auth_time": now - 1_000], .authenticationAge),
            ("logged in who knows when", ["auth_time": nil], .authenticationAge),
            ("logged in tomorrow", ["auth_time": now + 86_400], .authenticationAge),
            ("not verified", ["email_verified": false], .identity),
            ("verified as another text", ["email_verified": "True"], .identity),
            ("verified as a number", ["email_verified": 1], .identity),
            ("verified as a number in a text", ["email_verified": "1"], .identity),
            ("no word of it", ["email_verified": nil], .identity),
            ("no address", ["email": nil], .identity), ("no name", ["email": " ada"], .identity),
            ("no subject", ["sub": nil], .invalidToken), ("an empty subject", ["sub": ""], .identity),
        ]
    }()

    @Test("is refused if a claim is wrong", arguments: wrongClaims.indices) func isRefused(index: Int) async throws {
        let (name, changes, code) = Self.wrongClaims[index]
        let tested = try await TestedProvider()
        let token = try tested.key.token(tested.made.claims(nonce: "n", changes))
        let refused = await TestedProvider.code {
            _ = try await tested.verifier().verify(token, nonce: "n", maximumAge: .seconds(600))
        }
        #expect(refused == code, "\(name)")
    }

    @Test("is refused if it is forged, unsigned, of another type or not a token")
    func isRefusedWhereItIsForged() async throws {
        let tested = try await TestedProvider("RS256")
        let claims = tested.made.claims(nonce: "n")
        let good = try tested.key.token(claims)
        let parts = good.split(separator: ".").map(String.init)
        func header(_ fields: [String: String]) throws -> String {
            try JSONSerialization.data(withJSONObject: fields).base64URL
        }
        let none = try header(["alg": "none", "kid": "one"])
        // The public key as an HMAC secret, which a verifier accepts if it trusts the token's algorithm.
        let modulus = try JSONSerialization.data(withJSONObject: tested.key.published, options: .sortedKeys)
        let hmacHead = try header(["alg": "HS256", "kid": "one"]) + "." + parts[1]
        let mac = HMAC<SHA256>.authenticationCode(for: Data(hmacHead.utf8), using: SymmetricKey(data: modulus))
        let cases: [(String, String)] = [
            ("another's key of the same id", try await MadeKey("ES256", id: "one").token(claims)),
            ("an unknown key", try await MadeKey("ES256", id: "two").token(claims)),
            ("another's key without an id", try await MadeKey("ES256", id: nil).token(claims)),
            ("other claims", "\(parts[0]).\(try header(["sub": "eve"])).\(parts[2])"),
            ("no signature", "\(none).\(parts[1])."), ("a signature of none", "\(none).\(parts[1]).\(parts[2])"),
            ("a shared secret", "\(hmacHead).\(Data(mac).base64URL)"),
            ("a weaker hash's name", try await MadeKey("RS512", id: "one").token(claims)),
            ("another padding's name", try tested.key.token(claims, header: ["alg": "PS256"])),
            ("an access token", try tested.key.token(claims, header: ["typ": "at+jwt"])),
            ("an event", try tested.key.token(claims, header: ["typ": "secevent+jwt"])),
            ("critical extensions", try tested.key.token(claims, header: ["crit": ["b64"], "b64": false])),
            ("two parts", "\(parts[0]).\(parts[1])"), ("four parts", good + ".x"), ("nothing", ""), ("a word", "ada"),
            ("space after it", good + " "), ("padding", good + "="),
            ("too long", String(repeating: "a", count: 70_000)),
            ("no claims", try tested.key.token([:])),
        ]
        for (name, token) in cases {
            let code = await TestedProvider.code { _ = try await tested.verifier().verify(token, nonce: "n") }
            #expect(code == .invalidToken, "\(name)")
        }
        let untyped = try tested.key.token(claims, header: ["typ": NSNull()])
        _ = try await tested.verifier().verify(untyped, nonce: "n")
        _ = try await tested.verifier().verify(good, nonce: "n")
    }

    @Test("is refused whichever byte was altered", arguments: ["RS256", "ES256", "EdDSA"])
    func isRefusedWhicheverByteWasAltered(algorithm: String) async throws {
        let tested = try await TestedProvider(algorithm)
        let verifier = try tested.verifier()
        let token = Array(try tested.key.token(tested.made.claims(nonce: "n")).utf8)
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for index in token.indices where token[index] != UInt8(ascii: ".") {
            // Of the last letter of a part, every other one: some of its bits are unused.
            let isLast = index + 1 == token.count || token[index + 1] == UInt8(ascii: ".")
            let others = letters.filter { $0 != token[index] }
            for letter in isLast ? others : [others[index % others.count]] {
                var altered = token
                altered[index] = letter
                let text = String(decoding: altered, as: UTF8.self)
                let code = await TestedProvider.code { _ = try await verifier.verify(text, nonce: "n") }
                #expect(code == .invalidToken, "byte \(index)")
            }
        }
    }
}
