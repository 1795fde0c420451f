import Crypto
import CryptoExtras
import Foundation
import IssuerKeys
import JWTKit

/// A key of a simulated provider: a real key, made for these tests.
struct MadeKey: Sendable {
    let id: String?
    let algorithm: any JWTAlgorithm
    /// The public half, as providers publish it.
    let published: [String: String]

    /// RSA keys take long to make, so all tests share one.
    private static let rsa = Result { try Insecure.RSA.PrivateKey(backing: .init(keySize: .bits2048)) }

    init(_ name: String, id: String?) async throws {
        let keys = JWTKeyCollection()
        var published: [String: String] = ["use": "sig"]
        published["kid"] = id
        switch name {
        case "ES256":
            let key = ES256PrivateKey()
            let point = key.publicKey.parameters
            published.merge(["kty": "EC", "crv": "P-256", "alg": "ES256"]) { $1 }
            (published["x"], published["y"]) = (Self.url(point?.x), Self.url(point?.y))
            await keys.add(ecdsa: key)
        case "EdDSA":
            let key = Curve25519.Signing.PrivateKey()
            published.merge(["kty": "OKP", "crv": "Ed25519", "x": key.publicKey.rawRepresentation.base64URL]) { $1 }
            await keys.add(eddsa: EdDSA.PrivateKey(backing: key))
        default:
            let key = try Self.rsa.get()
            let (n, e) = try key.publicKey.getKeyPrimitives()
            published.merge(["kty": "RSA", "n": n.base64URL, "e": e.base64URL]) { $1 }
            if name == "PS256" {
                await keys.add(pss: key, digestAlgorithm: .sha256)
            } else {
                await keys.add(rsa: key, digestAlgorithm: name == "RS512" ? .sha512 : .sha256)
            }
        }
        self.id = id
        algorithm = try await keys.getKey()
        self.published = published
    }

    private static func url(_ base64: String?) -> String? {
        base64?.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns a token with these claims, and a header that may be wrong.
    func token(_ claims: [String: Any], header changes: [String: Any] = [:]) throws -> String {
        var header: [String: Any] = ["alg": algorithm.name, "typ": "JWT"]
        header["kid"] = id
        for (name, value) in changes { header[name] = value is NSNull ? nil : value }
        let parts = try [header, claims].map { try JSONSerialization.data(withJSONObject: $0).base64URL }
        let signed = parts.joined(separator: ".")
        return "\(signed).\(Data(try algorithm.sign(Array(signed.utf8))).base64URL)"
    }
}
