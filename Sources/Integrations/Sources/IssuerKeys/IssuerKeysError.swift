#if OpenIDConnect || SecurityEvents
/// A token that no key of its issuer has signed: what is wrong, and what to do; it contains nothing of the token.
public struct IssuerKeysError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Hashable, Sendable {
        /// It is not a JWT in its canonical encoding.
        case malformed
        /// It has another type, such as an access token in place of an ID token.
        case wrongType = "wrong_type"
        /// It has critical extensions that are not supported.
        case critical
        /// Its algorithm is not accepted: none, a shared secret, or an unknown one.
        case algorithm
        /// The issuer has no such key.
        case unknownKey = "unknown_key"
        /// The key did not sign it.
        case forged
        /// The issuer's keys are not available, or too old to be used.
        case unavailable
        /// The data are not a key set.
        case noKeySet = "no_key_set"
    }

    /// The kind of failure.
    public let code: Code
    /// A description to read.
    public let message: String

    init(_ code: Code) {
        self.code = code
        message =
            switch code {
            case .malformed: "It is not a JWT of at most 64 KiB. Send the token itself."
            case .wrongType: "It is a token of another type. Send a token of the expected type."
            case .critical: "It has critical extensions, none of which is supported. Have the issuer omit them."
            case .algorithm: "It is not signed by RS256, PS256, ES256 or EdDSA. Have the issuer use one of them."
            case .unknownKey: "Its key is not in the issuer's key set. Check that set."
            case .forged: "The issuer's key did not sign it. Check who sent it."
            case .unavailable: "The issuer's keys are not available, or are too old. Try again later."
            case .noKeySet: "It is not a JSON Web Key Set. Check its source."
            }
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
#endif
