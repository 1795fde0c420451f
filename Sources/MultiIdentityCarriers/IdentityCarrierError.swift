public import MultiIdentity

/// The reason why the content of a carrier is refused, or cannot be written.
///
/// For a server this is a bad request: no claim could be read. A claim that is not believed is an
/// ``IdentityClaimError``.
public struct IdentityCarrierError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<IdentityCarrierError>

    /// The failure in words; values from outside are shortened and escaped for logs.
    public let message: String

    /// The rule that a name breaks, if ``code`` is `.invalidName`.
    public let nameError: IdentityError?

    init(_ code: Code, _ message: String, nameError: IdentityError? = nil) {
        self.code = code
        self.message = message
        self.nameError = nameError
    }
}

extension ErrorCode where Failure == IdentityCarrierError {
    /// The name of the header or the key of the member is not a token of RFC 9110.
    public static var invalidKey: Self { Self() }
    /// An issuer, audience, key ID, lifetime or signature cannot be sent.
    public static var invalidTerms: Self { Self() }
    /// The header has more than 8,192 bytes.
    public static var tooLong: Self { Self() }
    /// The header has more than 64 members.
    public static var tooManyMembers: Self { Self() }
    /// The header has a character that is not visible ASCII, space or tab.
    public static var forbiddenCharacter: Self { Self() }
    /// The member occurs more than once, in one header or in several.
    public static var duplicateMember: Self { Self() }
    /// Another member's key differs only in case or encoding.
    public static var ambiguousMember: Self { Self() }
    /// The member is malformed.
    public static var malformedMember: Self { Self() }
    /// The member contains a `%` without two hexadecimal digits.
    public static var invalidEncoding: Self { Self() }
    /// The claimed name is not a valid identity: ``IdentityCarrierError/nameError``.
    public static var invalidName: Self { Self() }
    /// After injection the carrier has another value: its injector adds fields instead of replacing them.
    public static var notReplaced: Self { Self() }
}
