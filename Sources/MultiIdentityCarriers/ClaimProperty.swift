/// The properties of our member; their names are what is sent.
enum ClaimProperty: String {
    /// It is nobody's; in place of a value.
    case nobody
    /// Those who act for it, a line each; the one that acts now first.
    case act
    /// The issuer, the audience, the expiry in seconds since 1970, and the key.
    case iss, aud, exp, kid
    /// The signature, in base64url.
    case sig
}
