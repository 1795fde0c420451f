#if OpenIDConnect || SecurityEvents
import Foundation
import JWTKit

/// An issuer's public key, for one algorithm.
struct IssuerKey: Sendable {
    let id: String?
    let algorithm: String
    /// The key material, which identifies equal entries of a set.
    let material: [String?]
    private let verifier: any JWTAlgorithm

    /// Returns whether the key made this token's signature.
    func signed(_ token: SignedToken) -> Bool {
        (try? verifier.verify(token.signature, signs: token.signed)) ?? false
    }

    /// Reads a set of keys, without those that are not for signatures or of an unknown kind.
    ///
    /// - Parameter json: The set in the format of RFC 7517.
    /// - Returns: The keys; an RSA key without an algorithm is returned for both algorithms.
    /// - Throws: ``IssuerKeysError`` if it is not a key set.
    static func keys(of json: Data) async throws(IssuerKeysError) -> [IssuerKey] {
        guard json.count <= 524_288, let set = try? JSONDecoder().decode(WebKeySet.self, from: json),
            set.keys.count <= 64
        else { throw IssuerKeysError(.noKeySet) }
        var keys: [IssuerKey] = []
        for key in set.keys.compactMap(\.key) where key.isForSignatures {
            for algorithm in key.algorithms {
                guard let verifier = try? await key.verifier(algorithm) else { continue }
                let material = [key.kty, key.crv, key.n, key.e, key.x, key.y]
                keys.append(IssuerKey(id: key.kid, algorithm: algorithm, material: material, verifier: verifier))
            }
        }
        return keys
    }
}

/// A set in which unreadable keys are skipped.
private struct WebKeySet: Decodable {
    struct Member: Decodable {
        let key: WebKey?

        init(from decoder: any Decoder) { key = try? WebKey(from: decoder) }
    }

    let keys: [Member]
}

private struct WebKey: Decodable {
    let kty: String
    let kid: String?
    let alg: String?
    let use: String?
    let key_ops: [String]?
    let crv: String?
    let n: String?
    let e: String?
    let x: String?
    let y: String?

    var isForSignatures: Bool { (use ?? "sig") == "sig" && (key_ops?.contains("verify") ?? true) }

    var algorithms: [String] {
        let possible: [String] =
            switch (kty, crv) {
            case ("RSA", _): ["RS256", "PS256"]
            case ("EC", "P-256"): ["ES256"]
            case ("OKP", "Ed25519"): ["EdDSA"]
            default: []
            }
        return possible.filter { alg == nil || $0 == alg }
    }

    func verifier(_ algorithm: String) async throws -> any JWTAlgorithm {
        let keys = JWTKeyCollection()
        switch algorithm {
        case "ES256":
            await keys.add(ecdsa: try ES256PublicKey(parameters: (x: x ?? "", y: y ?? "")))
        case "EdDSA":
            await keys.add(eddsa: try EdDSA.PublicKey(x: x ?? "", curve: .ed25519))
        default:
            // With less than 2,048 bits it is not valid: jwt-kit throws.
            let key = try Insecure.RSA.PublicKey(modulus: n ?? "", exponent: e ?? "")
            if algorithm == "PS256" {
                await keys.add(pss: key, digestAlgorithm: .sha256)
            } else {
                await keys.add(rsa: key, digestAlgorithm: .sha256)
            }
        }
        return try await keys.getKey()
    }
}
#endif
