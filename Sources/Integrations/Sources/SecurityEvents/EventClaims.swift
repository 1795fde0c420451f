#if SecurityEvents
/// The claims of a token of events.
struct EventClaims: Decodable {
    struct Event: Decodable {
        let subject: SubjectIdentifier?

        private enum Key: CodingKey { case subject }

        init(from decoder: any Decoder) throws {
            subject = try decoder.container(keyedBy: Key.self).decodeIfPresent(SubjectIdentifier.self, forKey: .subject)
        }
    }

    let iss: String
    let aud: [String]
    let iat: Double
    let jti: String
    let sub_id: SubjectIdentifier?
    let events: [String: Event]

    private enum Key: String, CodingKey { case iss, aud, iat, jti, sub_id, events }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        iss = try container.decode(String.self, forKey: .iss)
        let name = try? container.decode(String.self, forKey: .aud)
        aud = try name.map { [$0] } ?? container.decode([String].self, forKey: .aud)
        iat = try container.decode(Double.self, forKey: .iat)
        jti = try container.decode(String.self, forKey: .jti)
        sub_id = try container.decodeIfPresent(SubjectIdentifier.self, forKey: .sub_id)
        events = try container.decode([String: Event].self, forKey: .events)
    }
}
#endif
