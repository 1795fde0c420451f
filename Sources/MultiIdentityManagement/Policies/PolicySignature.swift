import MultiIdentity
import MultiIdentityPolicy

/// A detached signature of policies (RFC 7515, appendix F; with `"b64": false` as in RFC 7797), to be verified.
public struct PolicySignature: Sendable {
    /// The name of the HTTP field with the signature.
    public static let fieldName = "Policy-Signature"

    /// The algorithm that the signer states, such as `EdDSA`.
    ///
    /// Verify with the algorithm of the key, and refuse others.
    public let algorithm: String
    /// The key ID that the signer states.
    public let keyID: String?
    /// The time of the signature (`iat`), in seconds since 1970; policies signed before those in force are refused.
    package let issuedAt: Int64?
    /// The exact bytes that are signed.
    public let bytes: [UInt8]
    /// The claimed signature of those bytes.
    public let signature: [UInt8]

    /// Parses a signature; only its form is checked.
    init(_ field: String, of text: [UInt8]) throws(ManagementError) {
        let parts = field.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard field.utf8.count <= 8_192, parts.count == 3, parts[1].isEmpty,
            let header = Base64.bytes(ofURLText: parts[0]), let signature = Base64.bytes(ofURLText: parts[2]),
            !signature.isEmpty
        else { throw Self.malformed("It is not a detached JWS: header..signature, each in base64url") }
        var (algorithm, keyID, issuedAt): (String?, String?, Int64?) = (nil, nil, nil)
        var isPlain = false
        var critical: [String] = []
        do {
            try JSONReader(header).allMembers { (key, _, reader) throws(PolicyTextError) in
                switch key {
                case "alg": algorithm = try reader.string()
                case "kid": keyID = try reader.string()
                case "iat": issuedAt = Int64(try reader.value.number())
                case "b64": isPlain = try !reader.bool()
                case "crit":
                    try reader.elements { (name) throws(PolicyTextError) in critical.append(try name.string()) }
                default: break
                }
            }
        } catch { throw Self.malformed("Its header is not a JSON object") }
        guard let algorithm, algorithm.lowercased() != "none" else { throw Self.malformed("It names no algorithm") }
        // Critical parameters must be known, and `b64` must be listed as critical where it is used.
        guard critical == (isPlain ? ["b64"] : []) else {
            throw Self.malformed("Its header has an unknown critical parameter")
        }
        self.algorithm = algorithm
        self.keyID = keyID
        self.issuedAt = issuedAt
        self.signature = signature
        bytes = Array(parts[0]) + ".".utf8 + (isPlain ? text : Array(Base64.urlText(of: text).utf8))
    }

    private static func malformed(_ what: String) -> ManagementError {
        ManagementError(.wrongSignature, "\(what). Have the service sign again.")
    }
}
