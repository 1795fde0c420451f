#if OpenIDConnect || SecurityEvents
package import Foundation

/// The three parts of a JWT in canonical encoding, not verified yet.
struct SignedToken {
    let algorithm: String
    let keyID: String?
    /// The type in lower case, without `application/`.
    let type: String?
    let payload: Data
    let signature: Data
    /// The signed bytes.
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
    /// Has critical extensions.
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

/// The receivers of a token: one, or several as a list (RFC 7519, 4.1.3).
package struct TokenAudience: Decodable {
    package let names: [String]

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        names = try (try? container.decode(String.self)).map { [$0] } ?? container.decode([String].self)
    }
}

extension Data {
    /// Decodes the canonical base64url text of RFC 7515.
    ///
    /// The last letter has unused bits; if they were ignored, one token would have several texts
    /// (RFC 4648, 3.5).
    package init?(base64URL text: Substring) {
        guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: plain + padding), bytes.base64EncodedString() == plain + padding else {
            return nil
        }
        self = bytes
    }

    /// The base64url text of these bytes, as in RFC 7515.
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
#endif
