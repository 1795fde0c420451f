public import Crypto
public import Foundation
import IssuerKeys

/// Signs sets of policies: a detached JWS over their bytes (RFC 7515, appendix F, and RFC 7797), with Ed25519.
public struct PolicySigner: Sendable {
    private let key: Curve25519.Signing.PrivateKey
    private let keyID: String

    /// A signer.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - keyID: How readers call it: letters, digits, `.`, `_` and `-`.
    public init(key: Curve25519.Signing.PrivateKey, keyID: String) {
        self.key = key
        self.keyID = keyID
    }

    /// Returns the field that goes with a set.
    ///
    /// - Parameters:
    ///   - text: Its bytes.
    ///   - time: When it was published, in seconds since 1970: readers refuse what was signed before what they have.
    /// - Returns: The detached JWS.
    /// - Throws: What the cryptographic library throws.
    public func signature(of text: Data, at time: Int64) throws -> String {
        let fields: [String: Any] = ["alg": "EdDSA", "b64": false, "crit": ["b64"], "iat": time, "kid": keyID]
        let header = try JSONSerialization.data(withJSONObject: fields, options: .sortedKeys).base64URL
        let signature = try key.signature(for: Data(header.utf8) + Data(".".utf8) + text)
        return "\(header)..\(Data(signature).base64URL)"
    }
}
