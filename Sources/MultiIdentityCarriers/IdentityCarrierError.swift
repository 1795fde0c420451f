public import MultiIdentity

/// A carrier's contents are refused, or cannot be written: what is wrong, with which value, and what to do.
///
/// To a server it means a bad request: no claim could be read. That a claim is not believed is ``IdentityClaimError``.
public struct IdentityCarrierError: CodedError {
    /// The code of what went wrong, to match on.
    public let code: ErrorCode<IdentityCarrierError>

    /// The message for people; values from outside are cut, and what could act on a log is escaped.
    public let message: String

    /// The rule that a name breaks, where ``code`` is `.invalidName`.
    public let nameError: IdentityError?

    init(_ code: Code, _ message: String, nameError: IdentityError? = nil) {
        self.code = code
        self.message = message
        self.nameError = nameError
    }
}

extension ErrorCode where Failure == IdentityCarrierError {
    /// A header's name or a member's key is no token of RFC 9110.
    public static var invalidKey: Self { Self() }
    /// An issuer, an audience, a key's name, a lifetime or a signature is none that can be sent.
    public static var invalidTerms: Self { Self() }
    /// The header has more than 8,192 bytes.
    public static var tooLong: Self { Self() }
    /// The header has more than 64 members.
    public static var tooManyMembers: Self { Self() }
    /// The header has a character that is not visible ASCII, space or tab.
    public static var forbiddenCharacter: Self { Self() }
    /// The member is there more than once, in one header or in several.
    public static var duplicateMember: Self { Self() }
    /// There is a member with a key that differs from ours in case or encoding alone.
    public static var ambiguousMember: Self { Self() }
    /// The member is not built as it should be.
    public static var malformedMember: Self { Self() }
    /// The member has a `%` that two hexadecimal digits do not follow.
    public static var invalidEncoding: Self { Self() }
    /// The member claims a name that is no identity's; ``IdentityCarrierError/nameError`` says why.
    public static var invalidName: Self { Self() }
    /// After injecting, the carrier holds something else: its injector adds fields and does not replace them.
    public static var notReplaced: Self { Self() }
}
