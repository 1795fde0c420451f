#if OpenIDConnect
/// The claims of an id token, as far as they are gone by; nothing of them is believed yet.
struct IDTokenClaims: Decodable {
    let iss: String
    let sub: String
    let aud: [String]
    let azp: String?
    let exp: Double
    let iat: Double
    let nbf: Double?
    let auth_time: Double?
    let nonce: String?
    let email: String?
    let email_verified: Bool
    let preferred_username: String?

    private enum Key: CodingKey {
        case iss, sub, aud, azp, exp, iat, nbf, auth_time, nonce, email, email_verified, preferred_username
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        iss = try container.decode(String.self, forKey: .iss)
        sub = try container.decode(String.self, forKey: .sub)
        let name = try? container.decode(String.self, forKey: .aud)
        aud = try name.map { [$0] } ?? container.decode([String].self, forKey: .aud)
        azp = try container.decodeIfPresent(String.self, forKey: .azp)
        exp = try container.decode(Double.self, forKey: .exp)
        iat = try container.decode(Double.self, forKey: .iat)
        nbf = try container.decodeIfPresent(Double.self, forKey: .nbf)
        auth_time = try container.decodeIfPresent(Double.self, forKey: .auth_time)
        nonce = try container.decodeIfPresent(String.self, forKey: .nonce)
        email = try container.decodeIfPresent(String.self, forKey: .email)
        // True, and nothing that could be taken for it.
        email_verified = (try? container.decodeIfPresent(Bool.self, forKey: .email_verified)) ?? false
        preferred_username = try container.decodeIfPresent(String.self, forKey: .preferred_username)
    }
}
#endif
