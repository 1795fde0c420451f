import GRPCCore
import GRPCIdentity
import MultiIdentity
import MultiIdentityCarriers
import SignedIdentity

/// Metadata that prove no identity, each with a word that the reason must have, which only the server gets.
enum HostileMetadata: String, CaseIterable, Sendable {
    case none, garbage, unsigned, nobodyUnsigned, expired, wrongAudience, wrongIssuer, unknownKey, changedName
    case changedCase, twice, twiceInOne, tooLong, controlCharacter, lineBreakInName, binary

    /// A word of the reason.
    var reason: String {
        switch self {
        case .none, .garbage, .binary: "no member"
        case .unsigned, .nobodyUnsigned: "unsigned"
        case .expired: "expired"
        case .wrongAudience: "wrongAudience"
        case .wrongIssuer: "unknownIssuer"
        case .unknownKey: "not in the ring"
        case .changedName: "wrongSignature"
        case .changedCase: "ambiguousMember"
        case .twice, .twiceInOne: "duplicateMember"
        case .tooLong: "tooLong"
        case .controlCharacter: "forbiddenCharacter"
        case .lineBreakInName: "Name"
        }
    }

    func metadata(for server: SeenServer) throws -> Metadata {
        let ada = try Identity("ada@contoso.com")
        func signed(_ identity: Identity = ada, _ signing: IdentitySigning? = nil) throws -> String {
            try IdentityBaggage.standard.headerValue(for: identity, signing: signing ?? server.signing()) ?? ""
        }
        let terms = try signed().drop { $0 != ";" }
        switch self {
        case .none: return [:]
        case .garbage: return ["baggage": "some=thing,else=;;;", "authorization": "Bearer x", "identity": "ada"]
        case .unsigned: return ["baggage": "identity=ada@contoso.com"]
        case .nobodyUnsigned: return ["baggage": "identity=;nobody"]
        case .expired:
            return ["baggage": .string(try signed(ada, server.signing(now: { .seconds(1_600_000_000) })))]
        case .wrongAudience: return ["baggage": .string(try signed(ada, server.signing(audience: "orders")))]
        case .wrongIssuer: return ["baggage": .string(try signed(ada, server.signing(issuer: "batch")))]
        case .unknownKey:
            let keys = try KeyRing(parsing: "two:" + "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
            return ["baggage": .string(try signed(ada, .hmac(issuer: "web", audience: "ledger", keys: keys)))]
        case .changedName: return ["baggage": "identity=grace@contoso.com\(terms)"]
        case .changedCase: return ["baggage": "Identity=grace,\(try signed())"]
        case .twice: return ["baggage": .string(try signed()), "baggage": .string(try signed(Identity("grace")))]
        case .twiceInOne: return ["baggage": "\(try signed()),\(try signed(Identity("grace")))"]
        case .tooLong: return ["baggage": .string(try signed() + ",pad=" + String(repeating: "x", count: 9_000))]
        case .controlCharacter: return ["baggage": "identity=ada\u{1}@contoso.com\(terms)"]
        case .lineBreakInName: return ["baggage": "identity=ada%0Aidentity=grace\(terms)"]
        case .binary: return ["baggage-bin": .binary(Array(try signed().utf8))]
        }
    }
}
