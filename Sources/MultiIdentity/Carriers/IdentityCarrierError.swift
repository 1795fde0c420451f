/// What a carrier holds is refused, or cannot be written: what is wrong, with which value, and what to do.
///
/// To a server it means a bad request: no claim could be read. That a claim is not believed is ``IdentityClaimError``.
public struct IdentityCarrierError: Error, Hashable, Sendable {
    /// What went wrong, for code to match on.
    public let code: Code

    /// What went wrong, for people; values from outside are cut, and what could act on a log is escaped.
    public let message: String

    /// The rule that a name breaks, where ``code`` is ``Code/invalidName``.
    public let nameError: IdentityError?

    init(_ code: Code, _ message: String, nameError: IdentityError? = nil) {
        self.code = code
        self.message = message
        self.nameError = nameError
    }
}

extension IdentityCarrierError {
    /// What went wrong, for code to match on; a minor release can add codes.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case invalidKey, invalidTerms, tooLong, tooManyMembers, forbiddenCharacter, duplicateMember, ambiguousMember
            case malformedMember, invalidEncoding, invalidName, notReplaced
        }

        private let kind: Kind

        /// A header's name or a member's key is no token of RFC 9110.
        public static let invalidKey = Code(kind: .invalidKey)
        /// An issuer, an audience, a key's name, a lifetime or a signature is none that can be sent.
        public static let invalidTerms = Code(kind: .invalidTerms)
        /// The header has more bytes than ``IdentityBaggage/maximumLength``.
        public static let tooLong = Code(kind: .tooLong)
        /// The header has more members than ``IdentityBaggage/maximumMemberCount``.
        public static let tooManyMembers = Code(kind: .tooManyMembers)
        /// The header has a character that is not visible ASCII, space or tab.
        public static let forbiddenCharacter = Code(kind: .forbiddenCharacter)
        /// The member is there more than once, in one header or in several.
        public static let duplicateMember = Code(kind: .duplicateMember)
        /// There is a member whose key differs from ours in case alone.
        public static let ambiguousMember = Code(kind: .ambiguousMember)
        /// The member is not built as it should be.
        public static let malformedMember = Code(kind: .malformedMember)
        /// The member has a `%` that two hexadecimal digits do not follow.
        public static let invalidEncoding = Code(kind: .invalidEncoding)
        /// The member claims a name that is no identity's; ``IdentityCarrierError/nameError`` says why.
        public static let invalidName = Code(kind: .invalidName)
        /// After injecting, the carrier holds something else: its injector adds fields and does not replace them.
        public static let notReplaced = Code(kind: .notReplaced)
    }
}

extension IdentityCarrierError.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String { "\(kind)" }
}

extension IdentityCarrierError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
