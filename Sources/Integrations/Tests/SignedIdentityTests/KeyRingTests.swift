import Foundation
import MultiIdentity
import MultiIdentityCarriers
import SignedIdentity
import Testing

@Suite("A ring of keys") struct KeyRingTests {
    static let key = Data((0..<32).map { UInt8($0) }).base64EncodedString()
    static let other = Data((0..<32).map { UInt8($0 + 100) }).base64EncodedString()
    static let start = Duration.seconds(1_800_000_000)

    private func header(_ name: String, issuer: String = "web", keys: KeyRing) throws -> String {
        let signing: IdentitySigning = try .hmac(issuer: issuer, audience: "ledger", keys: keys, now: { Self.start })
        return try #require(try IdentityBaggage.standard.headerValue(for: Identity(name), signing: signing))
    }

    private func verified(_ header: String, by issuers: [String: KeyRing]) throws -> Identity {
        let verifier: SignatureVerifier = .hmac(audience: "ledger", issuers: issuers, now: { Self.start })
        return try #require(try IdentityBaggage.standard.claim(in: [header])).verified(by: verifier)
    }

    @Test("signs claims that are believed with the signer's name", arguments: ["ada@contoso.com", "Ada Ü, \"x\"; y=z"])
    func signs(_ name: String) throws {
        let keys = try KeyRing(parsing: "one:\(Self.key)")
        let identity = try verified(header(name, keys: keys), by: ["web": keys])
        #expect(Array(identity.name.utf8) == Array(name.utf8))
        #expect(identity.verification?.party == "web")
    }

    @Test("refuses another key of the same id, an unknown id, and another issuer's key")
    func refusesOtherKeys() throws {
        let keys = try KeyRing(parsing: "one:\(Self.key)")
        let error = #expect(throws: IdentityClaimError.self) {
            try verified(header("ada", keys: KeyRing(parsing: "one:\(Self.other)")), by: ["web": keys])
        }
        #expect(error?.code == .wrongSignature)
        let batch = try KeyRing(parsing: "two:\(Self.other)")
        let unknown = #expect(throws: UnknownKeyError.self) {
            try verified(header("ada", keys: batch), by: ["web": keys, "batch": batch])
        }
        #expect(unknown == UnknownKeyError(issuer: "web", keyID: "two"))
        let own = try header("ada", issuer: "batch", keys: batch)
        #expect(try verified(own, by: ["web": keys, "batch": batch]).name == "ada")
    }

    @Test("is rotated without a refusal: verifiers first, then the signer, then the old key goes")
    func rotation() throws {
        let old = try KeyRing(parsing: "2026-10:\(Self.key)")
        let both = try KeyRing(parsing: "2026-10:\(Self.key),2026-11:\(Self.other)")
        let after = try KeyRing(parsing: "2026-11:\(Self.other),2026-10:\(Self.key)")
        #expect(after.currentID == "2026-11" && after.ids == ["2026-11", "2026-10"])
        for signer in [old, both, after] {
            #expect(try verified(header("ada", keys: signer), by: ["web": both]).name == "ada")
        }
        let new = try KeyRing(parsing: "2026-11:\(Self.other)")
        #expect(throws: UnknownKeyError.self) { try verified(header("ada", keys: old), by: ["web": new]) }
    }

    @Test(
        "is not read from malformed text, and no message shows a key",
        arguments: [
            "", ",", "a", "a:", ":\(key)", "a:\(key),", "a:\(key),a:\(other)", "a b:\(key)", "a:c2hvcnQ=", "a:\(key)!",
            String(repeating: "k", count: 65) + ":\(key)", "a\n:\(key)", "\(key):one",
        ]
    )
    func refused(_ text: String) throws {
        let error = #expect(throws: KeyRingError.self) { try KeyRing(parsing: text) }
        #expect(error?.message.contains(Self.key) == false && error?.message.contains("c2hvcnQ=") == false)
        #expect(try "\(KeyRing(parsing: "a:\(Self.key)"))" == "keys a")
        let unknown = UnknownKeyError(issuer: "web", keyID: "one\u{202E} identity=root")
        #expect(unknown.description.contains("root") == false && unknown.description.contains("\u{202E}") == false)
    }
}
