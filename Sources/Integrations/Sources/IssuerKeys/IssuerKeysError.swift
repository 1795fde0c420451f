#if OpenIDConnect || SecurityEvents
/// A token that no key of its issuer vouches for: what is wrong, and what to do; nothing of the token.
public struct IssuerKeysError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Hashable, Sendable {
        /// It is no JWT, or not in the one spelling that a JWT has.
        case malformed
        /// It is of another type, as an access token where an id token belongs.
        case wrongType = "wrong_type"
        /// It has extensions that have to be understood and are not.
        case critical
        /// It is signed by no algorithm that is taken: none, a shared secret, or one that is not known here.
        case algorithm
        /// The issuer has no such key.
        case unknownKey = "unknown_key"
        /// The key did not sign it.
        case forged
        /// The issuer's keys are not there, or too old to be believed.
        case unavailable
        /// The set of keys is none.
        case noKeySet = "no_key_set"
    }

    /// The kind of failure.
    public let code: Code
    /// A description for people.
    public let message: String

    init(_ code: Code) {
        self.code = code
        message =
            switch code {
            case .malformed: "It is no JWT of at most 64 KiB. Send the token itself."
            case .wrongType: "It is a token of another type. Send the one that is meant for this."
            case .critical: "It has critical extensions, of which none is known here. Have the issuer leave them out."
            case .algorithm: "It is not signed by RS256, PS256, ES256 or EdDSA. Have the issuer use one of them."
            case .unknownKey: "Its key is none of the issuer's. Look at the issuer's set of keys."
            case .forged: "The issuer's key did not sign it so. Look at who sent it."
            case .unavailable: "The issuer's keys cannot be had, or are too old to be believed. Try again later."
            case .noKeySet: "It is no JSON Web Key Set. Look at where it comes from."
            }
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
#endif
