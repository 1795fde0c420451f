#if SecurityEvents
public import MultiIdentity

/// The subject of an event, as RFC 9493 writes it; those of its formats that name an account.
public enum SubjectIdentifier: Hashable, Sendable {
    /// An address of mail.
    case email(String)
    /// A URI `acct:…`, without its scheme.
    case account(String)
    /// A subject of an issuer of tokens.
    case subject(String, issuer: String)
    /// A name that issuer and receiver agree on.
    case opaque(String)
    /// A user of SCIM, by the id that the receiver gave (RFC 9967).
    case scim(externalID: String)
}

extension SubjectIdentifier {
    /// Returns the identity that it names where accounts are called as it is written.
    ///
    /// A program with other names for accounts looks them up, as in a directory.
    ///
    /// - Parameter issuer: The issuer of the event: of a subject of somebody else's it knows nothing.
    /// - Returns: The identity, or `nil` where it names none.
    public func identity(from issuer: String) -> Identity? {
        switch self {
        case .email(let name), .account(let name), .opaque(let name), .scim(let name): try? Identity(name)
        case .subject(let name, let other): other == issuer ? try? Identity(name) : nil
        }
    }
}

extension SubjectIdentifier: Decodable {
    private enum Key: String, CodingKey { case format, email, uri, iss, sub, id, externalId, user }

    /// Reads it; of a subject with parts, the part that is the user.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) throws -> String { try container.decode(String.self, forKey: key) }
        let format = try text(.format)
        switch format {
        case "email": self = .email(try text(.email))
        case "account":
            let uri = try text(.uri)
            guard uri.hasPrefix("acct:") else { throw Self.unknown(container, "a URI without acct:") }
            self = .account(String(uri.dropFirst(5)))
        case "iss_sub": self = .subject(try text(.sub), issuer: try text(.iss))
        case "opaque": self = .opaque(try text(.id))
        case "scim": self = .scim(externalID: try text(.externalId))
        case "complex":
            let user = try container.nestedContainer(keyedBy: Key.self, forKey: .user)
            guard try user.decode(String.self, forKey: .format) != "complex" else {
                throw Self.unknown(container, "parts of a part")
            }
            self = try container.decode(SubjectIdentifier.self, forKey: .user)
        default: throw Self.unknown(container, "another format")
        }
    }

    private static func unknown(_ container: KeyedDecodingContainer<Key>, _ what: String) -> DecodingError {
        .dataCorruptedError(forKey: .format, in: container, debugDescription: what)
    }
}
#endif
