import MultiIdentity

/// The form of an identity between processes: one member of a W3C `baggage` header.
///
/// ```swift
/// try IdentityBaggage.standard.inject(into: &request.headers, using: HeaderFields(), signing: signing)
/// ```
/// ```text
/// baggage: tenant=contoso,identity=ada@contoso.com;iss=web;aud=orders;exp=1795341600;sig=Vw8…
/// ```
///
/// The receiver extracts an ``IdentityClaim``, which a verifier turns into an `Identity`. Nobody is written as
/// `identity=;nobody`; unset has no member.
///
/// Names and signing fields are percent-encoded, except letters, digits and `-._~@`; a signature is base64url without
/// padding. For the form and its limits see <https://www.w3.org/TR/baggage/>.
public struct IdentityBaggage: Sendable {
    /// The header's name.
    public let header: String
    /// The key of the identity's member.
    public let member: String

    /// The header `baggage`, with the member `identity`.
    public static let standard = IdentityBaggage(checkedHeader: "baggage", member: "identity")

    /// The maximum number of UTF-8 bytes of a header, with all its occurrences joined by commas: 8,192.
    package static var maximumLength: Int { 8_192 }
    /// The maximum number of members of a header, including others': 64.
    package static var maximumMemberCount: Int { 64 }

    /// Creates a custom header and member; both sides must use the same.
    ///
    /// - Parameters:
    ///   - header: The header's name, a token: letters, digits and `!#$%&'*+-.^_|~` with the grave accent.
    ///   - member: The member's key, a token too; case matters.
    /// - Throws: ``IdentityCarrierError`` with the code `.invalidKey`.
    public init(header: String = "baggage", member: String = "identity") throws(IdentityCarrierError) {
        for key in [header, member] where !BaggageText.isToken(key.utf8) {
            throw IdentityCarrierError(
                .invalidKey,
                """
                "\(EscapedText(key))" is not a valid name of a header or a member. Use 1 to 255 letters, digits, hyphens, \
                underscores or dots.
                """
            )
        }
        self.init(checkedHeader: header, member: member)
    }

    private init(checkedHeader header: String, member: String) {
        self.header = header
        self.member = member
    }
}
