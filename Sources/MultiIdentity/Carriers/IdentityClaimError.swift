/// A claim is not believed: what is wrong with it, and what to do.
///
/// To a server it means that the caller is not authenticated: nothing may be bound.
public struct IdentityClaimError: Error, Hashable, Sendable {
    /// What went wrong, for code to match on.
    public let code: Code

    /// What went wrong, for people; values from outside are cut, and what could act on a log is escaped.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension IdentityClaimError {
    /// What went wrong, for code to match on; a minor release can add codes.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case unsigned, wrongAudience, unknownIssuer, expired, lifetimeTooLong, wrongSignature, unknownPeer
        }

        private let kind: Kind

        /// A signature was asked for, and the claim has none.
        public static let unsigned = Code(kind: .unsigned)
        /// The claim was signed for somebody else.
        public static let wrongAudience = Code(kind: .wrongAudience)
        /// The claim was signed by somebody who may not sign for this audience.
        public static let unknownIssuer = Code(kind: .unknownIssuer)
        /// The claim's time is over.
        public static let expired = Code(kind: .expired)
        /// The claim would be good for longer than the verifier allows.
        public static let lifetimeTooLong = Code(kind: .lifetimeTooLong)
        /// The signature is not that of these bytes.
        public static let wrongSignature = Code(kind: .wrongSignature)
        /// The peer showed no certificate, or is not among those that may claim identities.
        public static let unknownPeer = Code(kind: .unknownPeer)
    }
}

extension IdentityClaimError.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String { "\(kind)" }
}

extension IdentityClaimError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
