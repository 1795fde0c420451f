#if SecurityEvents
import Foundation
public import MultiIdentity

/// The subject of an event, as in RFC 9493.
public enum SubjectIdentifier: Hashable, Sendable {
    /// An email address.
    case email(String)
    /// A URI `acct:…`, without its scheme.
    case account(String)
    /// A subject of a token issuer.
    case subject(String, issuer: String)
    /// A name that issuer and receiver have agreed on.
    case opaque(String)
    /// A SCIM resource, a user or a group, with the receiver's own ID, if there is one (RFC 9967).
    case scim(uri: String, externalID: String?)
    /// Several names of one subject.
    case aliases([SubjectIdentifier])
    /// An unsupported format, such as a telephone number.
    case unknown(format: String)
}

extension SubjectIdentifier {
    /// Returns the identities that it names, if accounts are named the same way; for aliases, those of each.
    ///
    /// A program with other account names looks them up, for example in a directory.
    ///
    /// - Parameter issuer: The issuer of the event, which cannot speak for another issuer's subject. A `/` at its end is
    ///   ignored.
    /// - Returns: The identities.
    public func identities(from issuer: String) -> Set<Identity> {
        func named(_ name: String) -> Set<Identity> { (try? Identity(name)).map { [$0] } ?? [] }
        func bare(_ issuer: String) -> Substring { issuer.hasSuffix("/") ? issuer.dropLast() : issuer[...] }
        return switch self {
        case .email(let name), .account(let name), .opaque(let name): named(name)
        case .subject(let name, let other) where bare(other) == bare(issuer): named(name)
        case .scim(_, let name?) where isOfAnAccount: named(name)
        case .aliases(let names): names.reduce(into: []) { $0.formUnion($1.identities(from: issuer)) }
        default: []
        }
    }

    /// Whether it names, or may name, an account, rather than a group or something that only the issuer has a name for.
    var isOfAnAccount: Bool {
        switch self {
        case .scim(let uri, let id):
            id != nil && Self.collection(of: uri) == "users"
        case .aliases(let names): names.isEmpty || names.contains(where: \.isOfAnAccount)
        default: true
        }
    }

    // The parts first, since an ID can contain a `/`, which is written as `%2F`.
    /// The collection of a resource, in lower case.
    private static func collection(of uri: String) -> String? {
        let path = URLComponents(string: uri)?.percentEncodedPath.split(separator: "/")
        return path?.dropLast().last?.removingPercentEncoding?.lowercased()
    }

    /// Whether nothing of it can be read, or its content is not a name.
    var isUnknown: Bool {
        switch self {
        case .unknown: true
        case .email(let name), .account(let name), .opaque(let name), .subject(let name, _), .scim(_, let name?):
            (try? Identity(name)) == nil
        case .aliases(let names): names.allSatisfy(\.isUnknown)
        default: false
        }
    }
}

extension SubjectIdentifier: Decodable {
    private enum Key: String, CodingKey {
        case format, email, uri, iss, sub, id, externalId, user, identifiers
        /// The name of the format in drafts, which some issuers still send: "iss-sub".
        case subject_type
    }

    /// Decodes it; of a subject with parts, the part that is the user.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) throws -> String { try container.decode(String.self, forKey: key) }
        let format = try container.decodeIfPresent(String.self, forKey: .format) ?? text(.subject_type)
        switch format.replacing("-", with: "_") {
        case "email": self = .email(try text(.email))
        case "account":
            let uri = try text(.uri)
            guard uri.lowercased().hasPrefix("acct:"), let name = uri.dropFirst(5).removingPercentEncoding else {
                throw Self.unknown(container, "no URI of acct:")
            }
            self = .account(name)
        case "iss_sub": self = .subject(try text(.sub), issuer: try text(.iss))
        case "opaque": self = .opaque(try text(.id))
        case "scim":
            let uri = try text(.uri)
            guard URLComponents(string: uri) != nil else { throw Self.unknown(container, "no URI") }
            self = .scim(uri: uri, externalID: try container.decodeIfPresent(String.self, forKey: .externalId))
        case "aliases":
            let names = try container.decode([SubjectIdentifier].self, forKey: .identifiers)
            for case .aliases in names { throw Self.unknown(container, "aliases of aliases") }
            self = .aliases(names)
        case "complex":
            let user = try container.nestedContainer(keyedBy: Key.self, forKey: .user)
            guard try user.decodeIfPresent(String.self, forKey: .format) != "complex" else {
                throw Self.unknown(container, "parts of a part")
            }
            self = try container.decode(SubjectIdentifier.self, forKey: .user)
        default: self = .unknown(format: format)
        }
    }

    private static func unknown(_ container: KeyedDecodingContainer<Key>, _ what: String) -> DecodingError {
        .dataCorruptedError(forKey: .format, in: container, debugDescription: what)
    }
}
#endif
