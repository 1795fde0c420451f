#if OpenIDConnect
import IssuerKeys

/// A log-in, an id token or an answer of the provider that is refused: what is wrong, and what to do; nothing of what it says.
public struct OpenIDError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Hashable, Sendable {
        /// A setting cannot be right.
        case settings
        /// The provider's document is none, or not this issuer's.
        case discovery
        /// The provider does not answer, or not as it has to.
        case unavailable
        /// The provider refuses: a code or a refresh token that is not good, or not good any more.
        case refused
        /// No log-in was begun so, or it was begun too long ago, or it is over.
        case unknownState = "unknown_state"
        /// The token is none, or no key of the provider signed it so.
        case invalidToken = "invalid_token"
        /// It is of another issuer.
        case issuer
        /// It is for another client.
        case audience
        /// It was issued to another client.
        case authorizedParty = "authorized_party"
        /// It has expired, or is from the future.
        case time
        /// It belongs to another log-in.
        case nonce
        /// The user logged in too long ago.
        case authenticationAge = "authentication_age"
        /// It has no claim that is an identity.
        case identity
        /// It is of another subject than before.
        case otherSubject = "other_subject"
    }

    /// The kind of failure.
    public let code: Code
    /// A description for people.
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
