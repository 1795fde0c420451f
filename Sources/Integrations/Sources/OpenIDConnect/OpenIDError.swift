#if OpenIDConnect
import IssuerKeys

/// A refused login, ID token or answer of the provider: what is wrong, and what to do; it contains nothing of the token.
public struct OpenIDError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Hashable, Sendable {
        /// A setting is invalid.
        case settings
        /// The provider's document is invalid, or another issuer's.
        case discovery
        /// The provider does not answer, or its answer is not valid.
        case unavailable
        /// The provider refuses a code or a refresh token that is not valid, or no longer valid.
        case refused
        /// There is no such login, or it was begun too long ago, or it is over.
        case unknownState = "unknown_state"
        /// The token is invalid, or no key of the provider has signed it.
        case invalidToken = "invalid_token"
        /// It has another issuer.
        case issuer
        /// It is for another client.
        case audience
        /// It was issued to another client.
        case authorizedParty = "authorized_party"
        /// It has expired, or is from the future.
        case time
        /// It belongs to another login.
        case nonce
        /// The user logged in too long ago.
        case authenticationAge = "authentication_age"
        /// It has no claim with an identity.
        case identity
        /// It has another subject than before.
        case otherSubject = "other_subject"
    }

    /// The kind of failure.
    public let code: Code
    /// A description to read.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: IssuerKeysError) {
        self.init(error.code == .unavailable ? .unavailable : .invalidToken, error.message)
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
#endif
