public import MultiIdentity

/// An account is not enrolled, or does not leave: what was wrong, with which one, and what to do.
public struct AccountsError: Error, Hashable, Sendable {
    /// What went wrong, for code to match on.
    public let code: Code

    /// Which account it was about.
    public let identity: Identity

    /// What went wrong, for people: what was tried, with which account, and what to do.
    public let message: String

    init(_ code: Code, _ identity: Identity, _ message: String) {
        self.code = code
        self.identity = identity
        self.message = message
    }
}

extension AccountsError {
    /// What went wrong, for code to match on; a minor release can add codes.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case nobody, anotherIsEnrolled, notEnrolled, noPolicy, notAllowed, revoked
        }

        private let kind: Kind

        /// Nobody is no account, and cannot be enrolled.
        public static let nobody = Code(kind: .nobody)
        /// In single-identity mode, another user is enrolled already.
        public static let anotherIsEnrolled = Code(kind: .anotherIsEnrolled)
        /// The account that should leave is not enrolled.
        public static let notEnrolled = Code(kind: .notEnrolled)
        /// The source has neither a policy for the account nor a default one.
        public static let noPolicy = Code(kind: .noPolicy)
        /// The list of allowed accounts does not have it.
        public static let notAllowed = Code(kind: .notAllowed)
        /// The identity was signed out or is being wiped, and gets no new work.
        public static let revoked = Code(kind: .revoked)
    }
}

extension AccountsError.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String { "\(kind)" }
}

extension AccountsError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
