#if SecurityEvents
import IssuerKeys
public import MultiIdentity

/// A verified event from an identity provider or a directory about one account.
public struct SecurityEvent: Hashable, Sendable {
    /// What an event means for an account.
    public enum Kind: Hashable, Sendable {
        /// The sessions of the account are over: CAEP's session-revoked, RISC's sessions-revoked, OAuth's tokens-revoked.
        case signedOut
        /// The account no longer exists: RISC's account-disabled and account-purged, SCIM's delete and deactivate.
        case left
        /// Anything else, by its URI: a verification, a change of credentials, or an event that is not about an account.
        case other(String)
    }

    /// What the event means.
    public let kind: Kind
    /// The account, as the issuer names it; `nil` if the event is not about an account.
    public let subject: SubjectIdentifier?
    /// The issuer of the event.
    public let issuer: String
    /// The ID of its token, unique for its issuer.
    public let id: String

    /// The identities of its subject, as in ``SubjectIdentifier/identities(from:)``.
    public var identities: Set<Identity> { subject?.identities(from: issuer) ?? [] }

    private static let kinds: [String: Kind] = [
        "https://schemas.openid.net/secevent/caep/event-type/session-revoked": .signedOut,
        "https://schemas.openid.net/secevent/risc/event-type/sessions-revoked": .signedOut,
        "https://schemas.openid.net/secevent/oauth/event-type/tokens-revoked": .signedOut,
        "https://schemas.openid.net/secevent/risc/event-type/account-disabled": .left,
        "https://schemas.openid.net/secevent/risc/event-type/account-purged": .left,
        "urn:ietf:params:scim:event:prov:delete": .left, "urn:ietf:params:scim:event:prov:deactivate": .left,
    ]

    init(_ uri: String, subject: SubjectIdentifier?, issuer: String, id: String) {
        // The beginning of a URN has no case (RFC 8141), and SCIM's drafts have "SCIM".
        let name = uri.lowercased().hasPrefix("urn:") ? uri.lowercased() : uri
        let known = subject?.isOfAnAccount == false ? nil : Self.kinds[name]
        kind = known ?? .other(uri)
        self.subject = subject
        self.issuer = issuer
        self.id = id
    }
}

/// The claims of an event token.
struct EventClaims: Decodable {
    struct Event: Decodable {
        let subject: SubjectIdentifier?

        private enum Key: String, CodingKey { case subject }

        /// Decodes an event; one that is not an object, such as `null`, has no subject.
        init(from decoder: any Decoder) throws {
            let container = try? decoder.container(keyedBy: Key.self)
            subject = try container?.decodeIfPresent(SubjectIdentifier.self, forKey: .subject)
        }
    }

    let iss: String
    let aud: TokenAudience
    let iat: Double
    let jti: String
    let sub_id: SubjectIdentifier?
    let events: [String: Event]
}

/// A refused event token: what is wrong, and what to do; it contains nothing of the token.
public struct SecurityEventError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; the raw value is the error code of RFC 8935.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The error code of RFC 8935.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is not an event token, or names no known subject.
        public static let invalidRequest = Code(rawValue: "invalid_request")
        /// No known key has signed it.
        public static let invalidKey = Code(rawValue: "invalid_key")
        /// It has another issuer.
        public static let invalidIssuer = Code(rawValue: "invalid_issuer")
        /// It is for another receiver.
        public static let invalidAudience = Code(rawValue: "invalid_audience")
        /// It is too old, or from the future.
        public static let stale = Code(rawValue: "authentication_failed")
    }

    /// The kind of failure.
    public let code: Code
    /// A description to read.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
#endif
