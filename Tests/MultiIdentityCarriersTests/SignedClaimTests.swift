import Foundation
import MultiIdentity
import MultiIdentityCarriers
import Testing

@Suite("A signed claim becomes an identity") struct SignedClaimTests {
    private let baggage = IdentityBaggage.standard
    private let ada: Identity

    init() throws { ada = try Identity("Ada@contoso.com") }

    @Test(
        "but not for another recipient than it was signed for, byte by byte",
        .rule("4.13"),
        arguments: [("orders", "mail"), ("orders", "Orders"), ("orders", "orders/1"), ("é", "e\u{301}")]
    )
    func audience(_ signed: String, _ here: String) throws {
        let claim = try IdentityClaim.made(of: ada, ToySignatures.signing(audience: signed))
        #expect(try claim.verified(by: ToySignatures.verifier(audience: signed)) == ada)
        #expect(claim.refusal(by: ToySignatures.verifier(audience: here)) == .wrongAudience)
    }

    @Test(
        "but not by an issuer who may not sign for this recipient, byte by byte",
        .rule("4.13"),
        arguments: ["app", "Web", "we", "A\u{30A}"]
    )
    func issuer(_ issuer: String) throws {
        let claim = try IdentityClaim.made(of: ada, ToySignatures.signing(issuer: issuer))
        #expect(claim.refusal(by: ToySignatures.verifier(issuers: ["web", "\u{C5}"])) == .unknownIssuer)
        #expect(claim.refusal(by: ToySignatures.verifier(issuers: [])) == .unknownIssuer)
        #expect(try claim.verified(by: ToySignatures.verifier(issuers: [issuer])) == ada)
    }

    @Test("until it expires, with the leeway for clock differences, and not longer", .rule("4.13"))
    func expiry() throws {
        let claim = try IdentityClaim.made(of: ada, ToySignatures.signing(lifetime: .seconds(60)))
        let end = ToySignatures.noon() + .seconds(60)
        #expect(claim.signature?.expiry == end)
        func verifier(at now: Duration, leeway: Duration = .zero, longest: Duration = .seconds(300))
            -> SignatureVerifier
        {
            ToySignatures.verifier(maximumLifetime: longest, leeway: leeway) { now }
        }
        #expect(try claim.verified(by: verifier(at: end - .nanoseconds(1))) == ada)
        #expect(claim.refusal(by: verifier(at: end)) == .expired)
        #expect(try claim.verified(by: verifier(at: end + .seconds(4), leeway: .seconds(5))) == ada)
        #expect(claim.refusal(by: verifier(at: end + .seconds(5), leeway: .seconds(5))) == .expired)
        #expect(claim.refusal(by: verifier(at: end + .seconds(1_000_000))) == .expired)
        #expect(try claim.verified(by: verifier(at: ToySignatures.noon(), longest: .seconds(60))) == ada)
        #expect(claim.refusal(by: verifier(at: ToySignatures.noon(), longest: .seconds(59))) == .lifetimeTooLong)
        let late = verifier(at: ToySignatures.noon() - .seconds(1), leeway: .seconds(1), longest: .seconds(60))
        #expect(try claim.verified(by: late) == ada)
    }

    @Test("with its own name, which is resolved to the account's, and stays verified", .rule("15.12"))
    func otherName() throws {
        let name = try Identity("oid-\(UUID())")
        let claim = try IdentityClaim.made(of: name, ToySignatures.signing())
        let names = AccountNames()
        names.add(name, to: ada)
        let verified = try claim.verified(by: ToySignatures.verifier())
        let resolved = names.resolved(verified)
        #expect(verified == name && resolved == ada && resolved.name == ada.name && resolved.verification != nil)
    }

    @Test("by the system's clock, unless another is given", .rule("4.13"))
    func systemClock() throws {
        let signing = try IdentitySigning(issuer: "web", audience: "orders", lifetime: .seconds(60)) {
            ToySignatures.signature(of: $0)
        }
        let verifier = SignatureVerifier(audience: "orders", issuers: ["web"]) {
            $0.signature == ToySignatures.signature(of: $0.bytes)
        }
        let claim = try IdentityClaim.made(of: ada, signing)
        #expect(try claim.verified(by: verifier) == ada)
        // Later than the time of writing, and before the digits run out.
        let expiry = try #require(claim.signature?.expiry)
        #expect(expiry > .seconds(1_763_000_000))
        #expect(expiry < .seconds(4_102_444_800))
        #expect(
            try IdentityClaim.made(of: ada, ToySignatures.signing(lifetime: .seconds(1_000_000_000))).refusal(
                by: verifier
            )
                == .lifetimeTooLong
        )
    }

    /// Each replaces one field of a signed claim by another claim's.
    static let changes: [(String, String)] = [
        ("identity=Ada@", "identity=Eve@"), ("identity=Ada@", "identity=ada@"),
        ("identity=Ada@contoso.com", "identity=;nobody"),
        ("aud=mail", "aud=orders"), ("iss=app", "iss=web"), ("exp=1795341660", "exp=1795341661"),
        ("kid=2026-11", "kid=2026-12"),
        (";kid=2026-11", ""), ("sig=", "sig=AAAAAAAAAAA;x"),
    ]

    @Test("and the signature covers everything that is claimed", .rule("4.13"), arguments: changes.dropLast())
    func covered(_ old: String, _ new: String) throws {
        let signing = try ToySignatures.signing(
            issuer: old.hasPrefix("iss") ? "app" : "web",
            audience: old.hasPrefix("aud") ? "mail" : "orders"
        )
        let value = try #require(try baggage.headerValue(for: ada, signing: signing))
        #expect(value.contains(old))
        let parts = value.split(separator: old, omittingEmptySubsequences: false)
        let changed = parts.joined(separator: new)
        let claim = try #require(try baggage.claim(in: [changed]))
        #expect(claim.refusal(by: ToySignatures.verifier()) == .wrongSignature)
    }

    @Test("and its member: a signature for one is invalid in another", .rule("4.13"))
    func coveredMember() throws {
        let actor = try IdentityBaggage(member: "actor")
        let value = try #require(try actor.headerValue(for: ada, signing: ToySignatures.signing()))
        #expect(try actor.claim(in: [value])?.verified(by: ToySignatures.verifier()) == ada)
        let moved = try #require(try baggage.claim(in: ["identity" + value.dropFirst("actor".count)]))
        #expect(moved.refusal(by: ToySignatures.verifier()) == .wrongSignature)
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test("and is found again by the reader of the header", .rule("4.13"))
    func header() throws {
        let claim = try #require(try baggage.claim(in: [SignedBytes.header]))
        let signature = try #require(claim.signature)
        #expect(hexadecimal(signature.bytes) == SignedBytes.named)
        #expect(hexadecimal(signature.signature) == SignedBytes.code)
        #expect(signature.issuer == "web")
        #expect(signature.audience == "orders")
        #expect(signature.expiry == .seconds(1_795_341_660))
        #expect(signature.keyID == "2026-11")
        let signing = try IdentitySigning(
            issuer: "web",
            audience: "orders",
            keyID: "2026-11",
            now: ToySignatures.noon
        ) { bytes in
            #expect(bytes == signature.bytes)
            return signature.signature
        }
        #expect(try baggage.headerValue(for: ada, signing: signing) == SignedBytes.header)
    }

    @Test("and the signed bytes are these", .rule("4.13"))
    func vectors() throws {
        func signed(_ claim: IdentityClaim) throws -> String {
            hexadecimal(try #require(claim.signature).bytes)
        }
        #expect(try signed(IdentityClaim.made(of: ada, ToySignatures.signing())) == SignedBytes.named)
        #expect(
            try signed(IdentityClaim.made(of: Identity("Zoë"), ToySignatures.signing(keyID: nil)))
                == SignedBytes.withoutKey
        )
        #expect(try signed(IdentityClaim.made(of: .nobody, ToySignatures.signing())) == SignedBytes.nobody)
    }

    @Test("but not by terms that cannot be sent", .rule("5.1"))
    func terms() throws {
        for text in ["", " a", "a\n", "a\u{0}", String(repeating: "a", count: 1_025)] {
            for make in [
                { try ToySignatures.signing(issuer: text) }, { try ToySignatures.signing(audience: text) },
                { try ToySignatures.signing(keyID: text) },
            ] {
                expect(throws: IdentityCarrierError.Code.invalidTerms) { try make() }
            }
        }
        for lifetime in [Duration.zero, .seconds(-1), .milliseconds(999), .seconds(3_155_760_001), .seconds(Int64.max)]
        {
            expect(throws: IdentityCarrierError.Code.invalidTerms) { try ToySignatures.signing(lifetime: lifetime) }
        }
        for now in [Duration.seconds(-100), .seconds(999_999_999_999), .seconds(Int64.max)] {
            let signing = try IdentitySigning(issuer: "web", audience: "orders", now: { now }) { _ in [1] }
            expect(throws: IdentityCarrierError.Code.invalidTerms) {
                try baggage.headerValue(for: ada, signing: signing)
            }
        }
    }
}
