import Foundation
import IssuerKeys
import SecurityEvents

/// A token issuer with its own key, and a receiver of its tokens.
struct EventIssuer {
    static let (name, audience) = ("https://login.example", "https://tenants.example")
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let revoked = "https://schemas.openid.net/secevent/caep/event-type/session-revoked"
    static let deleted = "urn:ietf:params:scim:event:prov:delete"
    static let disabled = "https://schemas.openid.net/secevent/risc/event-type/account-disabled"

    let receiver: SecurityEventReceiver
    let file = FileManager.default.temporaryDirectory.appending(path: "received-\(UUID()).json")
    private let key: MadeKey

    init() async throws {
        key = try await MadeKey("ES256", id: "one")
        receiver = try await Self.receiver(key, file, at: Self.now)
    }

    /// Returns a receiver with the same keys and tokens at another time, or after a restart.
    func receiver(at now: Date) async throws -> SecurityEventReceiver { try await Self.receiver(key, file, at: now) }

    private static func receiver(_ key: MadeKey, _ file: URL, at now: Date) async throws -> SecurityEventReceiver {
        SecurityEventReceiver(
            keys: try await IssuerKeys(JSONSerialization.data(withJSONObject: ["keys": [key.published]])),
            issuer: name,
            audience: audience,
            received: try ReceivedTokensInFile(at: file),
            now: { now }
        )
    }

    /// Returns a token with these claims; they replace those of a valid token, and `null` removes one.
    func token(
        _ changes: String = "{}",
        typ: String? = "secevent+jwt",
        signedBy other: MadeKey? = nil
    ) throws -> String {
        var claims: [String: Any] = [
            "iss": Self.name, "aud": Self.audience, "iat": Self.now.timeIntervalSince1970, "jti": "1",
            "sub_id": ["format": "email", "email": "ada@contoso.com"], "events": [Self.revoked: [String: Any]()],
        ]
        let changed = try JSONSerialization.jsonObject(with: Data(changes.utf8)) as? [String: Any] ?? [:]
        for (name, value) in changed { claims[name] = value is NSNull ? nil : value }
        return try (other ?? key).token(claims, header: ["typ": typ ?? NSNull()])
    }
}
