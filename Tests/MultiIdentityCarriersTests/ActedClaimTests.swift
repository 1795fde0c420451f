import MultiIdentity
import MultiIdentityCarriers
import Testing

@Suite("A claim of an identity with actors", .rule("1.6")) struct ActedClaimTests {
    private let baggage = IdentityBaggage.standard
    private let peer = TrustedPeerVerifier.trustedPeer("the sidecar", because: "its socket is ours")

    private func acted() throws -> Identity {
        try Identity("ada@contoso.com").acted(by: Identity("süpport; act@contoso.com")).acted(by: Identity("robot"))
    }

    @Test("names its actors, and so does the verified identity") func saysWhoActs() throws {
        let claim = try IdentityClaim.made(of: acted())
        #expect(claim.unverifiedName == "ada@contoso.com")
        #expect(claim.unverifiedActorNames == ["robot", "süpport; act@contoso.com"])
        #expect(claim.description == "unverified claim of \"ada@contoso.com\" by \"robot\"")
        let identity = try claim.verified(by: peer)
        #expect(identity.actor == (try acted().actor) && identity.verification?.party == "the sidecar")
        #expect(try IdentityClaim.made(of: Identity("ada@contoso.com")).verified(by: peer).actor == nil)
        // The verification stays with both.
        #expect(try identity.acted(by: Identity("web")).verification?.party == "the sidecar")
    }

    @Test("is signed with its actors: none can be added, removed or moved") func isSigned() throws {
        let signing = try ToySignatures.signing()
        let header = try #require(try baggage.headerValue(for: acted(), signing: signing))
        let verifier = ToySignatures.verifier()
        #expect(try #require(try baggage.claim(in: [header])).verified(by: verifier).actor == (try acted().actor))
        let act = try #require(header.split(separator: ";").first { $0.hasPrefix("act=") })
        for changed in [";", ";act=robot;", ";act=root@contoso.com;", ";\(act)%0Aroot;"] {
            let claim = try #require(try baggage.claim(in: [header.replacing(";\(act);", with: changed)]))
            #expect(claim.refusal(by: verifier) == .wrongSignature, "\(changed)")
        }
    }

    @Test(
        "is refused if its actors include nobody, are too many or are no names",
        arguments: [
            "identity=ada;act=", "identity=ada;act=a%0A", "identity=ada;act=%0Aa", "identity=ada;act=a%0D",
            "identity=;nobody;act=a",
            "identity=ada;act=a;act=b", "identity=ada;act", "identity=ada;act=%FF",
            "identity=ada;act=" + Array(repeating: "a", count: 9).joined(separator: "%0A"),
        ]
    )
    func isRefused(_ header: String) {
        #expect(throws: IdentityCarrierError.self) { try baggage.claim(in: [header]) }
    }
}
