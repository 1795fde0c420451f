import Foundation
import IssuerKeys
import JWTKit
import SecurityEvents

/// An issuer of tokens with a key of its own, and a receiver of them.
struct EventIssuer {
    static let (name, audience) = ("https://login.example", "https://tenants.example")
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let revoked = "https://schemas.openid.net/secevent/caep/event-type/session-revoked"
    static let disabled = "https://schemas.openid.net/secevent/risc/event-type/account-disabled"

    let key = ES256PrivateKey()
    let receiver: SecurityEventReceiver
    let file: URL

    init(at now: Date = now) async throws {
        file = FileManager.default.temporaryDirectory.appending(path: "received-\(UUID()).json")
        receiver = SecurityEventReceiver(
            keys: try await IssuerKeys(Data(Self.keySet(of: key).utf8)),
            issuer: Self.name,
            audience: Self.audience,
            received: try ReceivedTokensInFile(at: file),
            now: { now }
        )
    }

    /// The same keys and tokens at another time, or after a restart.
    func receiver(at now: Date) async throws -> SecurityEventReceiver {
        SecurityEventReceiver(
            keys: try await IssuerKeys(Data(keySet.utf8)),
            issuer: Self.name,
            audience: Self.audience,
            received: try ReceivedTokensInFile(at: file),
            now: { now }
        )
    }

    /// The public key, as issuers publish it.
    var keySet: String { Self.keySet(of: key) }

    private static func keySet(of key: ES256PrivateKey) -> String {
        let point = key.publicKey.parameters
        func text(_ value: String?) -> String {
            (value ?? "").replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        return """
            {"keys": [{"kty": "EC", "crv": "P-256", "alg": "ES256", "kid": "one", "x": "\(text(point?.x))", "y": "\(text(point?.y))"}]}
            """
    }

    /// A token with these claims; those that a good one has may be replaced, and left out by `null`.
    func token(
        _ changes: String = "{}",
        typ: String? = "secevent+jwt",
        signedBy other: ES256PrivateKey? = nil,
        kid: JWKIdentifier = "one"
    ) async throws -> String {
        var claims: [String: Any] = [
            "iss": Self.name, "aud": Self.audience, "iat": Self.now.timeIntervalSince1970, "jti": "1",
            "sub_id": ["format": "email", "email": "ada@contoso.com"], "events": [Self.revoked: [String: Any]()],
        ]
        let changed = try JSONSerialization.jsonObject(with: Data(changes.utf8)) as? [String: Any] ?? [:]
        for (name, value) in changed { claims[name] = value is NSNull ? nil : value }
        var header: JWTHeader = ["alg": "ES256", "kid": .string(kid.string)]
        if let typ { header.typ = typ }
        let parts = [try JSONEncoder().encode(header), try JSONSerialization.data(withJSONObject: claims)]
        let signed = parts.map { $0.base64URL }.joined(separator: ".")
        let signature = try await Self.signature(of: signed, by: other ?? key)
        return "\(signed).\(signature)"
    }

    private static func signature(of text: String, by key: ES256PrivateKey) async throws -> String {
        let algorithm = try await JWTKeyCollection().add(ecdsa: key).getKey()
        return Data(try algorithm.sign(Array(text.utf8))).base64URL
    }
}
