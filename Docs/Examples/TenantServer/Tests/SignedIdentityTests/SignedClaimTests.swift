import Foundation
import MultiIdentity
import MultiIdentityCarriers
import SignedIdentity
import Testing

@Suite("A claim that one service signs for another") struct SignedClaimTests {
    static let key = Data((0..<32).map { UInt8($0) }).base64EncodedString()
    static let other = Data((0..<32).map { UInt8($0 + 100) }).base64EncodedString()
    static let start = Duration.seconds(1_800_000_000)
    let keys: KeyRing
    let verifier: SignatureVerifier

    init() throws {
        keys = try KeyRing(parsing: "one:\(Self.key)")
        verifier = .hmac(audience: "ledger", issuers: ["web": keys], now: { Self.start })
    }

    private func header(
        for identity: Identity?,
        issuer: String = "web",
        audience: String = "ledger",
        keys: KeyRing? = nil,
        lifetime: Duration = .seconds(60),
        at now: Duration = start
    ) throws -> String {
        let signing: IdentitySigning = try .hmac(
            issuer: issuer,
            audience: audience,
            keys: keys ?? self.keys,
            lifetime: lifetime,
            now: { now }
        )
        return try #require(try IdentityBaggage.standard.headerValue(for: identity, signing: signing))
    }

    private func verified(_ header: String, by verifier: SignatureVerifier? = nil) throws -> Identity {
        let claim = try #require(try IdentityBaggage.standard.claim(in: [header]))
        return try claim.verified(by: verifier ?? self.verifier)
    }

    @Test("is believed, and remembers who signed it", arguments: ["ada@contoso.com", "Ada Ü, \"x\"; y=z", "a"])
    func believed(_ name: String) throws {
        let identity = try verified(header(for: Identity(name)))
        #expect(Array(identity.name.utf8) == Array(name.utf8))
        #expect(identity.verification?.party == "web")
    }

    @Test("of nobody is one of nobody")
    func nobody() throws { #expect(try verified(header(for: .nobody)).isNobody) }

    @Test("is refused once it has expired, and with it whatever clock is wrong by more than the leeway")
    func expired() throws {
        let ada = try Identity("ada@contoso.com")
        let error = #expect(throws: IdentityClaimError.self) {
            try verified(header(for: ada, at: Self.start - .seconds(66)))
        }
        #expect(error?.code == .expired)
        #expect(try verified(header(for: ada, at: Self.start - .seconds(62))) == ada, "within the leeway")
        let tooLong = #expect(throws: IdentityClaimError.self) {
            try verified(header(for: ada, lifetime: .seconds(86_400)))
        }
        #expect(tooLong?.code == .lifetimeTooLong)
    }

    @Test("is refused for another audience, from another issuer, and unsigned")
    func terms() throws {
        let ada = try Identity("ada@contoso.com")
        let audience = #expect(throws: IdentityClaimError.self) { try verified(header(for: ada, audience: "orders")) }
        #expect(audience?.code == .wrongAudience)
        let issuer = #expect(throws: IdentityClaimError.self) { try verified(header(for: ada, issuer: "batch")) }
        #expect(issuer?.code == .unknownIssuer)
        let unsigned = try #require(try IdentityBaggage.standard.headerValue(for: ada))
        let error = #expect(throws: IdentityClaimError.self) { try verified(unsigned) }
        #expect(error?.code == .unsigned)
    }

    @Test("is refused with a key that another pair of services shares, by its id or not")
    func otherKeys() throws {
        let ada = try Identity("ada@contoso.com")
        let error = #expect(throws: IdentityClaimError.self) {
            try verified(header(for: ada, keys: KeyRing(parsing: "one:\(Self.other)")))
        }
        #expect(error?.code == .wrongSignature)
        let unknown = #expect(throws: UnknownKeyError.self) {
            try verified(header(for: ada, keys: KeyRing(parsing: "two:\(Self.key)")))
        }
        #expect(unknown == UnknownKeyError(issuer: "web", keyID: "two"))
    }

    @Test("an issuer's key signs for that issuer alone")
    func issuersKeys() throws {
        let batch = try KeyRing(parsing: "two:\(Self.other)")
        let both: SignatureVerifier = .hmac(
            audience: "ledger",
            issuers: ["web": keys, "batch": batch],
            now: { Self.start }
        )
        let ada = try Identity("ada@contoso.com")
        #expect(try verified(header(for: ada, issuer: "batch", keys: batch), by: both) == ada)
        #expect(throws: UnknownKeyError.self) { try verified(header(for: ada, issuer: "web", keys: batch), by: both) }
    }

    @Test("a key is replaced without a refusal: verifiers first, then the signer, then the old one goes")
    func rotation() throws {
        let ada = try Identity("ada@contoso.com")
        let both = try KeyRing(parsing: "one:\(Self.key),two:\(Self.other)")
        let after = try KeyRing(parsing: "two:\(Self.other),one:\(Self.key)")
        let onlyNew = try KeyRing(parsing: "two:\(Self.other)")
        let verifying: SignatureVerifier = .hmac(audience: "ledger", issuers: ["web": both], now: { Self.start })
        for signer in [keys, both, after] {
            #expect(try verified(header(for: ada, keys: signer), by: verifying) == ada)
        }
        let last: SignatureVerifier = .hmac(audience: "ledger", issuers: ["web": onlyNew], now: { Self.start })
        #expect(throws: UnknownKeyError.self) { try verified(header(for: ada, keys: keys), by: last) }
    }

    @Test("changed in any one of its bytes, it is another's or nobody's never")
    func everyByte() throws {
        let ada = try Identity("ada@contoso.com")
        let header = Array(try header(for: ada).utf8)
        for index in header.indices {
            for flip in [1, 2, 0x20] as [UInt8] {
                var changed = header
                changed[index] ^= flip
                let text = String(decoding: changed, as: UTF8.self)
                guard let claim = try? IdentityBaggage.standard.claim(in: [text]) else { continue }
                // What can change is how the header is written, as the case of %3d; what was signed cannot.
                if let identity = try? claim.verified(by: verifier) {
                    #expect(identity == ada && identity.name == ada.name)
                }
            }
        }
    }

    @Test("one user's signature beside another's name is refused")
    func swapped() throws {
        let (ada, grace) = (
            try header(for: Identity("ada@contoso.com")), try header(for: Identity("grace@contoso.com"))
        )
        let mixed = grace.prefix { $0 != ";" } + ada.drop { $0 != ";" }
        let error = #expect(throws: IdentityClaimError.self) { try verified(String(mixed)) }
        #expect(error?.code == .wrongSignature)
    }
}
