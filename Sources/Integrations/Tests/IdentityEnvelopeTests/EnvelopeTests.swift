import IdentityEnvelope
import MultiIdentity
import MultiIdentityCarriers
import SignedIdentity
import Testing

extension Trait where Self == Comment {
    /// Marks a test with the rules of Docs/Semantics.md that it verifies.
    fileprivate static func rule(_ number: String) -> Self { Comment(rawValue: "rule \(number) of Docs/Semantics.md") }
}

@Suite("An envelope between machines", .rule("20.5")) struct AnEnvelopeBetweenMachines {
    @Test(
        "comes out as it went in, with its owner and its label, whatever its size and the pieces that it comes in",
        arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000],
        [1_021, .max]
    )
    func comesOutAsItWentIn(_ count: Int, _ piece: Int) throws {
        let fixture = try EnvelopeFixture(count)
        let sealed = try fixture.sealed(piece: piece)
        let opened = try fixture.opened(sealed, piece: piece) { envelope, content in
            #expect(envelope != nil || content.isEmpty, "the owner is known before a byte of the content")
        }
        #expect(opened.owner == fixture.ada && opened.owner.actor == fixture.ada.actor)
        #expect(opened.owner.verification?.party == "web")
        #expect(opened.label == "may.txt")
        #expect(opened.content == fixture.text)
        #expect(try fixture.opened(fixture.sealed(of: .nobody)).owner == .nobody)
        #expect(try fixture.sealed() != fixture.sealed(), "never the same twice")
    }

    @Test("is refused whichever byte was altered, and gives out nothing of it")
    func isRefusedWhicheverByteWasAltered() throws {
        let fixture = try EnvelopeFixture(300)
        let sealed = try fixture.sealed()
        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 1
            var out: [UInt8] = []
            #expect(throws: EnvelopeError.self, "byte \(index)") {
                _ = try fixture.opened(altered, piece: 64) { out += $1 }
            }
            #expect(out.isEmpty, "byte \(index)")
        }
    }

    @Test("is refused wherever it was cut off, and if bytes follow it")
    func isRefusedWhereverItWasCutOff() throws {
        let fixture = try EnvelopeFixture(300)
        let sealed = try fixture.sealed()
        for count in 1..<sealed.count {
            #expect(
                fixture.code { _ = try fixture.opened(Array(sealed.prefix(count))) } == .truncated,
                "\(count) bytes"
            )
        }
        #expect(fixture.code { _ = try fixture.opened(sealed + [0]) } == .truncated)
        var opener = EnvelopeOpener(key: fixture.key, name: "archive") { audience in
            SignatureVerifier.hmac(audience: audience, issuers: ["web": fixture.keys], now: { EnvelopeFixture.start })
        }
        #expect(throws: EnvelopeError.self) { _ = try opener.open([1]) }
        #expect(throws: EnvelopeError.self, "it takes no more") { _ = try opener.open(sealed) }
    }

    @Test("is refused if pieces were removed, moved, doubled or put last")
    func isRefusedWherePiecesWereMoved() throws {
        let fixture = try EnvelopeFixture(200_000)
        let sealed = try fixture.sealed()
        let pieces = fixture.pieces(sealed)
        try #require(pieces.count == 5 && pieces.last?.upperBound == sealed.count)
        let start = Array(sealed[..<pieces[0].lowerBound])
        for order in [
            [0, 1, 2, 4], [0, 2, 1, 3, 4], [0, 1, 1, 2, 3, 4], [1, 2, 3, 4], [0, 1, 2, 3], [4], [0, 4, 1, 2, 3],
        ] {
            let made = order.reduce(start) { $0 + sealed[pieces[$1]] }
            #expect(throws: EnvelopeError.self, "\(order)") { _ = try fixture.opened(made) }
        }
        var early = Array(sealed[..<pieces[2].upperBound])
        early[pieces[2].lowerBound] |= 0x80
        #expect(fixture.code { _ = try fixture.opened(early) } == .tampered, "marked as the last one")
    }

    @Test("is refused by another machine, under another name, and with another key")
    func isRefusedByAnotherMachine() throws {
        let fixture = try EnvelopeFixture()
        let sealed = try fixture.sealed()
        #expect(fixture.code { _ = try fixture.opened(sealed, as: "other") } == .claimRefused)
        #expect(fixture.code { _ = try fixture.opened(sealed, key: EnvelopeKey()) } == .claimRefused)
        let stored = try EnvelopeKey(bytes: fixture.key.bytes)
        #expect(try fixture.opened(sealed, key: stored).content == fixture.text)
        #expect(throws: EnvelopeError.self) { try EnvelopeKey(bytes: [1]) }
        #expect(throws: EnvelopeError.self) { try EnvelopeAddress(name: "archive", publicKey: []) }
        #expect(!"\(fixture.key)".contains("\(fixture.key.bytes[0])"))
    }

    @Test("is refused if its claim is another one's, too old, or from an unknown issuer")
    func isRefusedWhereItsClaimIsNotBelieved() throws {
        let fixture = try EnvelopeFixture()
        let (hers, his) = (try fixture.sealed(), try fixture.sealed(of: Identity("bob@contoso.com")))
        func parts(_ bytes: [UInt8]) -> (key: [UInt8], claim: [UInt8], pieces: [UInt8]) {
            let start = fixture.pieces(bytes)[0].lowerBound
            return (Array(bytes[..<41]), Array(bytes[41..<start]), Array(bytes[start...]))
        }
        // One envelope's content with another's claim, which was made for another envelope.
        let spliced = parts(his).key + parts(hers).claim + parts(his).pieces
        let error = #expect(throws: EnvelopeError.self) { _ = try fixture.opened(spliced) }
        #expect(error?.code == .claimRefused)
        #expect((error?.cause as? IdentityClaimError)?.code == .wrongAudience)
        #expect(error.map { !"\($0)".contains("bob") } == true)
        let late = #expect(throws: EnvelopeError.self) {
            _ = try fixture.opened(hers, now: EnvelopeFixture.start + .seconds(70))
        }
        #expect((late?.cause as? IdentityClaimError)?.code == .expired)
        let unknown = try fixture.sealed(issuer: "somebody")
        let error2 = #expect(throws: EnvelopeError.self) { _ = try fixture.opened(unknown) }
        #expect((error2?.cause as? IdentityClaimError)?.code == .unknownIssuer)
        let unclaimed = parts(hers).key + [0, 0] + parts(hers).pieces
        #expect(fixture.code { _ = try fixture.opened(unclaimed) } == .claimRefused)
    }

    @Test("is refused if a later version sealed it, and is not created with too long a label")
    func isRefusedWhereALaterVersionSealedIt() throws {
        let fixture = try EnvelopeFixture(300)
        var later = try fixture.sealed()
        later[8] = 2
        #expect(fixture.code { _ = try fixture.opened(later) } == .futureVersion)
        #expect(throws: EnvelopeError.self) {
            _ = try EnvelopeSealer(
                of: fixture.ada,
                for: EnvelopeAddress(name: "archive", publicKey: fixture.key.publicKey),
                label: [UInt8](repeating: 0, count: 4_097),
                signing: { try .hmac(issuer: "web", audience: $0, keys: fixture.keys) }
            )
        }
    }
}
