import Foundation
import HTTPTypes
import IssuerKeys
import JWTKit

/// Takes the bearer token out of a request, and believes what it says only where all of it holds.
struct TokenVerifier: Sendable {
    let authority: TokenAuthority

    /// - Parameter headers: The request's.
    /// - Returns: What the token says.
    /// - Throws: ``Refusal``: 400 where the header is none, else 401 with the reason.
    func token(in headers: HTTPFields) async throws -> VerifiedToken {
        let text = try bearerToken(in: headers)
        try refuseOtherAlgorithms(text)
        let claims: TenantClaims
        do {
            claims = try await authority.keys.verify(text, as: TenantClaims.self)
        } catch let error as JWTError where error.errorType == .signatureVerificationFailed {
            throw Refusal.token("bad_signature", "The token was not signed by the issuer of this server's tokens.")
        } catch {
            throw Refusal.token(
                "malformed_token",
                "The token does not have the claims iss, aud, sub and exp in their forms."
            )
        }
        try check(claims)
        return VerifiedToken(
            subject: claims.sub,
            scopes: Set((claims.scope ?? "").split(separator: " ").map(String.init))
        )
    }

    private func bearerToken(in headers: HTTPFields) throws -> String {
        let values = headers[values: .authorization]
        guard let value = values.first else {
            throw Refusal.token(
                "no_token",
                "This needs a token: send it as `Authorization: Bearer …`.",
                challenge: "Bearer"
            )
        }
        // Two would let a proxy in front of this server check the one, and this server believe the other.
        guard values.count == 1 else {
            throw Refusal(
                .badRequest,
                code: "several_tokens",
                "There are \(values.count) Authorization headers; send one."
            )
        }
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw Refusal.token("not_bearer", "The Authorization header is not `Bearer`, a space, and a token.")
        }
        guard parts[1].utf8.count <= 8_192, parts[1].utf8.allSatisfy(isOfToken) else {
            throw Refusal.token(
                "malformed_token",
                "A token is up to 8,192 letters, digits, - and _ with two dots in between."
            )
        }
        return String(parts[1])
    }

    private func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// JWTKit verifies with the key that it has, whatever the header claims: a header that claims something else is
    /// refused before (RFC 8725, 3.1), and so is one with critical extensions, of which none is known here (RFC 7515, 4.1.11).
    private func refuseOtherAlgorithms(_ token: String) throws {
        let segments = token.split(separator: ".", omittingEmptySubsequences: false)
        guard segments.count == 3, let header = Data(base64URL: segments[0]),
            let fields = try? JSONDecoder().decode(Header.self, from: header)
        else { throw Refusal.token("malformed_token", "The token is not three parts with a JSON header.") }
        guard fields.alg == "HS256", fields.crit == nil else {
            throw Refusal.token("bad_algorithm", "Tokens are signed by HS256, without critical extensions.")
        }
    }

    private struct Header: Decodable {
        let alg: String
        let crit: [String]?
    }

    private func check(_ claims: TenantClaims) throws {
        let now = Date()
        guard now < claims.exp else { throw Refusal.token("expired_token", "The token has expired: get a new one.") }
        guard claims.nbf.map({ now >= $0 }) ?? true else {
            throw Refusal.token("early_token", "The token is not good yet.")
        }
        guard claims.iss == authority.issuer else {
            throw Refusal.token("bad_issuer", "The token is another issuer's.")
        }
        guard claims.aud.names.contains(authority.audience) else {
            throw Refusal.token("bad_audience", "The token is for another service.")
        }
    }
}
