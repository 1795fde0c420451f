import MultiIdentity
import MultiIdentityCarriers
import MultiIdentityDiagnostics
import Testing

@Suite("A claim becomes an identity") struct ClaimVerificationTests {
    private let baggage = IdentityBaggage.standard
    private let ada: Identity

    init() throws { ada = try Identity("Ada@contoso.com") }

    @Test("by a signature for this recipient, by a known issuer, in time; and records how", .rule("4.13"))
    func signature() async throws {
        let claim = try IdentityClaim.made(of: ada, ToySignatures.signing())
        #expect(claim.description == "unverified claim of \"Ada@contoso.com\"")
        let identity = try claim.verified(by: ToySignatures.verifier(issuers: ["app", "web"]))
        #expect(identity == ada)
        #expect(identity.name == "Ada@contoso.com", "as it was spelled")
        #expect(identity.verification == IdentityVerification(way: "signature", party: "web", detail: "key 2026-11"))
    }

    @Test("by the certificate of a peer that may claim identities", .rule("4.13"))
    func mutualTLS() throws {
        let claim = try IdentityClaim.made(of: ada)
        let allowed = ["app.contoso.com", "web.contoso.com"]
        let identity = try claim.verified(by: .mutualTLS(peer: "web.contoso.com", allowing: allowed))
        #expect(identity == ada)
        #expect(identity.verification?.description == "mutual TLS of \"web.contoso.com\"")
        #expect(claim.refusal(by: .mutualTLS(peer: nil, allowing: allowed)) == .unknownPeer)
        #expect(claim.refusal(by: .mutualTLS(peer: "eve.contoso.com", allowing: allowed)) == .unknownPeer)
        #expect(claim.refusal(by: .mutualTLS(peer: "WEB.contoso.com", allowing: allowed)) == .unknownPeer)
        #expect(claim.refusal(by: .mutualTLS(peer: "", allowing: allowed)) == .unknownPeer)
        #expect(claim.refusal(by: .mutualTLS(peer: "web.contoso.com", allowing: [])) == .unknownPeer)
    }

    @Test("by trust in a peer, who and why", .rule("4.13"))
    func trustedPeer() throws {
        let identity = try IdentityClaim.made(of: ada).verified(
            by: .trustedPeer("the sidecar", because: "its socket is ours")
        )
        #expect(identity == ada)
        #expect(identity.verification?.description == "trusted peer of \"the sidecar\" (its socket is ours)")
    }

    @Test("by a custom verifier, whose errors are passed on unchanged", .rule("4.13"))
    func ownVerifier() async throws {
        struct Refusal: Error, Equatable {}
        struct Only: IdentityVerifier, AsyncIdentityVerifier {
            let name: String
            func verify(_ claim: IdentityClaim) throws -> IdentityVerification {
                guard claim.unverifiedName == name else { throw Refusal() }
                return IdentityVerification(way: "a list", party: "of names")
            }
        }
        struct Asking: AsyncIdentityVerifier {
            func verify(_ claim: IdentityClaim) async throws -> IdentityVerification {
                await Task.yield()
                throw Refusal()
            }
        }
        let claim = try IdentityClaim.made(of: ada)
        #expect(try Only(name: "Ada@contoso.com").verify(claim).way == "a list")
        await #expect(throws: Refusal.self) { try await claim.verified(by: Asking()) }
        let failing = SignatureVerifier(audience: "orders", issuers: ["web"], now: ToySignatures.noon) { _ in
            throw Refusal()
        }
        let signed = try IdentityClaim.made(of: ada, ToySignatures.signing())
        #expect(throws: Refusal.self) { try signed.verified(by: failing) }
    }

    @Test("and is shown escaped and truncated, and so is its verification", .rule("5.1"))
    func shown() throws {
        let claim = try IdentityClaim.made(of: Identity("ada\"\u{202E}\u{200B}" + String(repeating: "x", count: 900)))
        let shown = String(repeating: "x", count: 54) + "…"
        #expect(claim.description == "unverified claim of \"ada\\\"\\u{202E}\\u{200B}\(shown)\"")
        #expect(String(reflecting: claim) == claim.description)
        let verification = IdentityVerification(way: "a\nb", party: "c\u{1B}d", detail: "e\u{2028}f")
        #expect(verification.description == "a\\nb of \"c\\u{1B}d\" (e\\u{2028}f)")
    }

    @Test("but not by a signature if there is none", .rule("4.13"))
    func unsigned() throws {
        #expect(try IdentityClaim.made(of: ada).refusal(by: ToySignatures.verifier()) == .unsigned)
        #expect(try IdentityClaim.made(of: .nobody).refusal(by: ToySignatures.verifier()) == .unsigned)
    }

    @Test("after its terms are checked: no key is requested for a claim that would be refused anyway", .rule("4.13"))
    func order() async throws {
        let claim = try IdentityClaim.made(of: ada, ToySignatures.signing())
        let sync = SignatureVerifier(audience: "mail", issuers: ["web"], now: ToySignatures.noon) { _ in
            Issue.record("asked")
            return true
        }
        #expect(claim.refusal(by: sync) == .wrongAudience)
        let late = SignatureVerifier(audience: "orders", issuers: ["web"], now: { .seconds(2_000_000_000) }) { _ in
            Issue.record("asked")
            return true
        }
        #expect(claim.refusal(by: late) == .expired)
    }

    @Test("with its verification everywhere, and equals one made here", .rule("4.13"))
    func provenance() async throws {
        let identity = try IdentityClaim.made(of: ada, ToySignatures.signing()).verified(by: ToySignatures.verifier())
        #expect(ada.verification == nil)
        #expect(identity == ada)
        #expect(identity.hashValue == ada.hashValue)
        let queue = IdentityQueue(label: "work")
        let there = await withIdentity(identity) {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: Identity.current?.verification) }
            }
        }
        #expect(there == identity.verification)
        let explanation = withIdentityLevels(IdentityLevels()) {
            withIdentity(identity) { EffectiveIdentity.current(for: .files).explanation.description }
        }
        let shown = explanation.split(separator: "\n").contains { line in
            // The site of the binding is in between, if another test has sites recorded.
            line.contains("Ada@contoso.com <- decided, ")
                && line.hasSuffix("verified by signature of \"web\" (key 2026-11)")
        }
        #expect(shown, "\(explanation)")
    }
}
