import Foundation
import HTTPTypes
import IssuerKeys
import JWTKit
import Testing

@testable import TenantServer

/// A request that has to be refused: the header that it has, and the code that it gets.
struct BadRequest: Sendable, CustomTestStringConvertible {
    let name: String
    let code: String
    var status = HTTPResponse.Status.unauthorized
    let headers: @Sendable () async throws -> HTTPFields

    var testDescription: String { name }

    static func token(
        _ name: String,
        _ code: String,
        _ token: @escaping @Sendable () async throws -> String
    ) -> BadRequest {
        BadRequest(name: name, code: code) { [.authorization: "Bearer \(try await token())"] }
    }

    static func signed(_ name: String, _ code: String, _ claims: some JWTPayload, header: JWTHeader = JWTHeader())
        -> BadRequest
    {
        .token(name, code) { try await TestServer.authority().keys.sign(claims, header: header) }
    }

    static func header(_ name: String, _ code: String, _ value: String) -> BadRequest {
        BadRequest(name: name, code: code) { [.authorization: value] }
    }

    static let all: [BadRequest] = [
        BadRequest(name: "no header", code: "no_token") { [:] },
        .header("an empty header", "not_bearer", ""),
        .header("another scheme", "not_bearer", "Basic YWRhOmFkYQ=="),
        .header("no token after the scheme", "not_bearer", "Bearer"),
        .header("a space more", "malformed_token", "Bearer  a.b.c"),
        .header("not a token", "malformed_token", "Bearer hello"),
        .header("bytes that are no token's", "malformed_token", "Bearer a.b.c\u{E9}\u{7F}"),
        .header("a path", "malformed_token", "Bearer ../../etc/passwd"),
        .header("four parts", "malformed_token", "Bearer a.b.c.d"),
        .header("a header that is no JSON", "malformed_token", "Bearer e30x.e30.e30"),
        .header("ten thousand characters", "malformed_token", "Bearer " + String(repeating: "a", count: 10_000)),
        BadRequest(name: "two headers", code: "several_tokens", status: .badRequest) {
            var headers: HTTPFields = [:]
            for _ in 0..<2 {
                let token = try await TestServer.authority().token(for: "ada", lifetime: .seconds(60))
                headers.append(HTTPField(name: .authorization, value: "Bearer \(token)"))
            }
            return headers
        },
        .token("the algorithm none, unsigned", "bad_algorithm") {
            Self.unsigned(#"{"alg":"none"}"#, signature: "")
        },
        .token("the algorithm None, with some signature", "bad_algorithm") {
            Self.unsigned(#"{"alg":"None"}"#, signature: "e30")
        },
        .token("no algorithm", "malformed_token") { Self.unsigned("{}", signature: "e30") },
        .token("no signature", "bad_signature") { Self.unsigned(#"{"alg":"HS256"}"#, signature: "") },
        .signed("another algorithm in the header", "bad_algorithm", AnyClaims(), header: ["alg": "HS512"]),
        .signed("a critical extension", "bad_algorithm", AnyClaims(), header: ["crit": ["exp"]]),
        .token("another's signature", "bad_signature") {
            try await TestServer.authority(secret: "another secret of thirty-two bytes").token(
                for: "ada",
                lifetime: .seconds(60)
            )
        },
        .token("a changed user", "bad_signature") {
            var parts = try await TestServer.authority().token(for: "ada", lifetime: .seconds(60)).split(
                separator: "."
            )
            parts[1] = Substring(
                Self.base64URL(
                    #"{"sub":"grace","iss":"https://login.example","aud":"tenant-server","exp":99999999999}"#
                )
            )
            return parts.joined(separator: ".")
        },
        .signed("an expired token", "expired_token", AnyClaims(exp: Date(timeIntervalSinceNow: -1))),
        .signed("a token for later", "early_token", AnyClaims(nbf: Date(timeIntervalSinceNow: 60))),
        .signed("another issuer's token", "bad_issuer", AnyClaims(iss: "https://login.example.evil")),
        .signed("a token for another service", "bad_audience", AnyClaims(aud: ["mail-server"])),
        .signed("a token for no service", "bad_audience", AnyClaims(aud: [])),
        .signed("no expiry", "malformed_token", AnyClaims(exp: nil)),
        .signed("no user", "malformed_token", AnyClaims(sub: nil)),
        .signed("an empty user", "bad_subject", AnyClaims(sub: "")),
        .signed("a user of two lines", "bad_subject", AnyClaims(sub: "ada\ngrace")),
        .signed("a user that is too long", "bad_subject", AnyClaims(sub: String(repeating: "a", count: 1_025))),
    ]

    private static func unsigned(_ header: String, signature: String) -> String {
        [header, #"{"sub":"ada","iss":"https://login.example","aud":"tenant-server","exp":99999999999}"#]
            .map(base64URL).joined(separator: ".") + "." + signature
    }

    private static func base64URL(_ text: String) -> String { Data(text.utf8).base64URL }
}

/// Claims that can be wrong in every way.
struct AnyClaims: JWTPayload {
    var iss: String? = "https://login.example"
    var aud: [String]? = ["tenant-server"]
    var sub: String? = "ada@contoso.com"
    var exp: Date? = Date(timeIntervalSinceNow: 60)
    var nbf: Date?

    func verify(using algorithm: some JWTAlgorithm) throws {}
}
