import MultiIdentity

/// The issuer and the audience of a signature, and the key.
struct SigningTerms: Sendable {
    let issuer: String
    let audience: String
    let keyID: String?

    init(issuer: String, audience: String, keyID: String?) throws(IdentityCarrierError) {
        self.issuer = try Self.checked(issuer, "an issuer")
        self.audience = try Self.checked(audience, "an audience")
        self.keyID = if let keyID { try Self.checked(keyID, "a key's name") } else { nil }
    }

    /// Applies the rules of names: nothing empty, too long, or with a line break.
    static func checked(_ text: String, _ what: String) throws(IdentityCarrierError) -> String {
        do {
            try IdentityName.validate(text)
            return text
        } catch {
            throw IdentityCarrierError(
                .invalidTerms,
                "\"\(EscapedText(text))\" cannot be \(what): it must follow the rules of a name. \(error.message)"
            )
        }
    }
}
