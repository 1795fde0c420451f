#if SecurityEvents
import IssuerKeys
public import MultiIdentity

/// An event of an identity provider or a directory about one account, verified.
public struct SecurityEvent: Hashable, Sendable {
    /// The consequences that an event can have.
    public enum Kind: Hashable, Sendable {
        /// The sessions of the account are over: CAEP's session-revoked, RISC's sessions-revoked, OAuth's tokens-revoked.
        case signedOut
        /// The account is no more: RISC's account-disabled and account-purged, SCIM's delete and deactivate.
        case left
        /// Anything else, by its URI: a verification, a change of credentials, or one of the others about what is no account.
        case other(String)
    }

    /// The consequence.
    public let kind: Kind
    /// The account, as the issuer names it; `nil` where the event is about none.
    public let subject: SubjectIdentifier?
    /// The issuer that it comes from.
    public let issuer: String
    /// The id of its token, of which the issuer has no other.
    public let id: String

    /// The identities that its subject names, as ``SubjectIdentifier/identities(from:)`` has them.
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
        // A URN begins without case (RFC 8141), and SCIM's drafts have "SCIM".
        let name = uri.lowercased().hasPrefix("urn:") ? uri.lowercased() : uri
        let known = subject?.isOfAnAccount == false ? nil : Self.kinds[name]
        kind = known ?? .other(uri)
        self.subject = subject
        self.issuer = issuer
        self.id = id
    }
}

/// The claims of a token of events.
struct EventClaims: Decodable {
    struct Event: Decodable {
        let subject: SubjectIdentifier?

        private enum Key: String, CodingKey { case subject }

        /// Reads it; one that is no object, such as `null`, has no subject.
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

/// A token of events that is refused: what is wrong with it, and what to do; nothing of what it says.
public struct SecurityEventError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; the raw value is the error code of RFC 8935.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The error code of RFC 8935.
        public let rawValue: String

        /// A code of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is no token of events, or names no subject that is known.
        public static let invalidRequest = Code(rawValue: "invalid_request")
        /// No key that is known signed it so.
        public static let invalidKey = Code(rawValue: "invalid_key")
        /// It is of another issuer.
        public static let invalidIssuer = Code(rawValue: "invalid_issuer")
        /// It is for another receiver.
        public static let invalidAudience = Code(rawValue: "invalid_audience")
        /// It is too old, or from the future.
        public static let stale = Code(rawValue: "authentication_failed")
    }

    /// The kind of failure.
    public let code: Code
    /// A description for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
#endif
