import Foundation
import MultiIdentity
import MultiIdentityCarriers
import Testing

@Suite("An identity that is put into a carrier") struct BaggageRoundTripTests {
    private let baggage = IdentityBaggage.standard

    private func carried(_ identity: Identity?) throws -> IdentityClaim? {
        var headers = Headers()
        try baggage.inject(identity, into: &headers, using: HeaderFields())
        return try baggage.extract(from: headers, using: HeaderFields())
    }

    static let names = [
        "ada@contoso.com", "3ec2c00f-8a4d-4f5e-9f0a-2b7f4f6f1f10", "%", "100%", "%41", "%%", "a,b", "a;b", "a=b",
        "a\"b",
        "a\\b", "a+b", "a b", "a%2Cb", "identity=eve", "nobody", ";nobody", "é", "e\u{301}", "\u{FEFF}ada",
        "ada\u{202E}moc",
        "👩🏽‍💻", "\u{10FFFF}", "\u{FFFD}", "ﬀ", "İ", "ß", "한", "\u{1112}\u{1161}\u{11AB}",
        String(repeating: "a", count: 1_024), String(repeating: "é", count: 512), String(repeating: "👩", count: 256),
        String(repeating: "%", count: 1_024),
    ]

    @Test("is read as it was written, byte for byte", .rule("4.13"), arguments: names)
    func anyName(_ name: String) throws {
        let claim = try #require(try carried(Identity(name)))
        let claimed = try #require(claim.unverifiedName)
        #expect(claimed.utf8.elementsEqual(name.utf8))
        let identity = try claim.verified(by: .trustedPeer("this test", because: "it is this test"))
        #expect(identity.name.utf8.elementsEqual(name.utf8))
        #expect(try identity == Identity(name))
    }

    @Test(
        "is a member according to W3C, whatever its characters",
        .rule("4.13"),
        arguments: names + ["ä \u{2003}ö", "\"\\,;"]
    )
    func grammar(_ name: String) throws {
        let value = try #require(try baggage.headerValue(for: Identity(name), signing: ToySignatures.signing()))
        // The grammar of https://www.w3.org/TR/baggage/#definition, implemented independently.
        let octet = "[\\x21\\x23-\\x2B\\x2D-\\x3A\\x3C-\\x5B\\x5D-\\x7E]*"
        let token = "[-!#$%&'*+.^_`|~0-9A-Za-z]+"
        let member = "\(token)=\(octet)(;\(token)(=\(octet))?)*"
        #expect(value.range(of: "^\(member)$", options: .regularExpression) == value.startIndex..<value.endIndex)
        #expect(value.utf8.count <= IdentityBaggage.maximumLength)
        // A decoder of URLs by the rules of forms, where + is a space, reads the same.
        let plain = try #require(value.split(separator: ";").first?.dropFirst("identity=".count))
        let asForm = plain.replacingOccurrences(of: "+", with: " ")
        #expect(PlainPercentDecoding.bytes(of: asForm) == Array(name.utf8))
    }

    @Test("is the current identity at the call, unless another is given", .rule("4.13"))
    func current() throws {
        var (headers, given) = (Headers(), Headers())
        try withIdentity(ada) {
            try baggage.inject(into: &headers, using: HeaderFields())
            try baggage.inject(grace, into: &given, using: HeaderFields())
        }
        #expect(headers["baggage"] == ["identity=ada@contoso.com"])
        #expect(given["baggage"] == ["identity=grace@contoso.com"])
    }

    @Test("leaves nothing in the carrier if it is unset, and has its own form if it is nobody", .rule("4.13"))
    func unsetAndNobody() throws {
        var headers = Headers()
        try baggage.inject(nil, into: &headers, using: HeaderFields())
        #expect(headers == Headers())
        #expect(try baggage.extract(from: headers, using: HeaderFields()) == nil)
        #expect(try baggage.headerValue(for: nil, signing: ToySignatures.signing()) == nil)
        for signing in [nil, try ToySignatures.signing()] {
            if let signing {
                try baggage.inject(.nobody, into: &headers, using: HeaderFields(), signing: signing)
            } else {
                try baggage.inject(.nobody, into: &headers, using: HeaderFields())
                #expect(headers["baggage"] == ["identity=;nobody"])
            }
            let claim = try #require(try baggage.extract(from: headers, using: HeaderFields()))
            #expect(claim.unverifiedName == nil)
            #expect(claim.description == "unverified claim of nobody")
            #expect((claim.signature == nil) == (signing == nil))
            let identity = try claim.verified(by: .trustedPeer("this test", because: "it is this test"))
            #expect(identity.isNobody)
            #expect(identity.verification == nil)
        }
        #expect(try carried(Identity("nobody"))?.unverifiedName == "nobody", "which can be a name as well")
    }

    @Test("can have a custom header and member, and is read only from those", .rule("4.13"))
    func ownKeys() throws {
        let own = try IdentityBaggage(header: "x-contoso", member: "on-behalf-of")
        #expect(own.header == "x-contoso")
        #expect(own.member == "on-behalf-of")
        var headers = Headers()
        try own.inject(Identity("ada@contoso.com"), into: &headers, using: HeaderFields())
        #expect(headers["x-contoso"] == ["on-behalf-of=ada@contoso.com"])
        #expect(try own.extract(from: headers, using: HeaderFields())?.unverifiedName == "ada@contoso.com")
        #expect(try baggage.extract(from: headers, using: HeaderFields()) == nil)
        #expect(try IdentityBaggage(header: "x-contoso").extract(from: headers, using: HeaderFields()) == nil)
    }

    @Test(
        "has no header or member that is not a token",
        .rule("5.1"),
        arguments: [
            "", " ", "a b", "a,b", "a;b", "a=b", "é", "a\r\n", "a\"", "a:b", "\u{212A}",
            String(repeating: "a", count: 256),
        ]
    )
    func noToken(_ key: String) {
        for make in [{ try IdentityBaggage(header: key) }, { try IdentityBaggage(member: key) }] {
            let error = expect(throws: IdentityCarrierError.Code.invalidKey) { try make() }
            #expect(error.map { $0.message.utf8.allSatisfy { $0 >= 0x20 } } == true)
        }
    }

    @Test("uses types that conform to swift-distributed-tracing's protocols, by an empty extension", .rule("4.13"))
    func tracing() throws {
        let fields = IdentityFields(injector: TracingInjector(), extractor: TracingExtractor())
        var carrier = ["traceparent": "00-1", "baggage": "tenant=contoso,identity=eve"]
        try baggage.inject(Identity("ada@contoso.com"), into: &carrier, using: fields)
        #expect(carrier == ["traceparent": "00-1", "baggage": "tenant=contoso,identity=ada@contoso.com"])
        #expect(try baggage.extract(from: carrier, using: TracingExtractor())?.unverifiedName == "ada@contoso.com")
        try baggage.inject(nil, into: &carrier, using: fields)
        #expect(carrier["baggage"] == "tenant=contoso")
        carrier["baggage"] = "identity=eve"
        try baggage.inject(nil, into: &carrier, using: fields)
        #expect(carrier["baggage"] == "", "which is the same as none")
        #expect(try baggage.extract(from: carrier, using: TracingExtractor()) == nil)
    }
}
