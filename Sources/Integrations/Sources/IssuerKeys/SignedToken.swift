#if OpenIDConnect || SecurityEvents
import Foundation

/// The three parts of a JWT, in the one spelling that they have; nothing of it is believed yet.
struct SignedToken {
    let algorithm: String
    let keyID: String?
    /// The type in lower case, without `application/`.
    let type: String?
    let payload: Data
    let signature: Data
    /// The bytes that the signature is of.
    let signed: Data

    init(_ text: String) throws(IssuerKeysError) {
        guard text.utf8.count <= 65_536 else { throw IssuerKeysError(.malformed) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { Data(base64URL: $0) }
        guard parts.count == 3, bytes.count == 3, let header = try? JSONDecoder().decode(Header.self, from: bytes[0])
        else { throw IssuerKeysError(.malformed) }
        guard !header.isCritical else { throw IssuerKeysError(.critical) }
        algorithm = header.alg
        keyID = header.kid
        type = header.typ.map { typ in
            let name = typ.lowercased()
            return name.hasPrefix("application/") ? String(name.dropFirst(12)) : name
        }
        payload = bytes[1]
        signature = bytes[2]
        signed = Data(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
    }
}

private struct Header: Decodable {
    let alg: String
    let kid: String?
    let typ: String?
    /// Has extensions that have to be understood.
    let isCritical: Bool

    private enum Key: CodingKey { case alg, kid, typ, crit }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        alg = try container.decode(String.self, forKey: .alg)
        kid = try container.decodeIfPresent(String.self, forKey: .kid)
        typ = try container.decodeIfPresent(String.self, forKey: .typ)
        isCritical = container.contains(.crit)
    }
}
#endif
