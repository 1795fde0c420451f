import MultiIdentity
import MultiIdentityCarriers
import Testing

@Suite("A header from a stranger", .rule("4.13")) struct HostileHeaderTests {
    private let baggage = IdentityBaggage.standard

    @Test("gives an error that says what is wrong, and no claim", .rule("5.1"), arguments: HostileHeader.all)
    func refused(_ header: HostileHeader) {
        let error = #expect(throws: IdentityCarrierError.self) {
            try baggage.extract(from: Headers(baggage: header.values), using: HeaderFields())
        }
        #expect(error?.code == header.code)
        #expect(error?.nameError?.code == header.nameCode)
        guard let message = error?.description else { return }
        #expect(
            message.unicodeScalars.allSatisfy {
                ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
            }
        )
        #expect(message.utf8.count < 1_500, "and does not show all that came")
        #expect(message.hasPrefix("\(header.code): "))
        #expect(message.hasSuffix("."))
    }

    @Test("that repeats itself for ever is refused before it is parsed", arguments: [65, 8_194, 100_000])
    func manyHeaders(_ count: Int) {
        let values = Array(repeating: count == 65 ? "a=1" : "", count: count)
        let error = #expect(throws: IdentityCarrierError.self) { try baggage.claim(in: values) }
        #expect(error?.code == (count == 65 ? .tooManyMembers : .tooLong))
    }

    struct Claim: Sendable, CustomTestStringConvertible {
        let values: [String]
        let name: String?

        init(_ values: String..., claims name: String?) { (self.values, self.name) = (values, name) }

        var testDescription: String { "\(values)".prefix(60).description }
    }

    static let claims = [
        Claim("identity=ada@contoso.com", claims: "ada@contoso.com"),
        Claim(" identity \t= \tada \t", claims: "ada"),
        Claim("a=1 , identity=ada ;iss = a; aud= b ; exp =1;sig\t=\tAA , b=2", claims: "ada"),
        Claim("identity = ; nobody ", claims: nil),
        Claim("identity=%c3%A4", claims: "ä"),
        Claim("identity=%61%64%61", claims: "ada"),
        Claim("identity=%69%64=x", claims: "id=x"),
        Claim("identity=a=b", claims: "a=b"),
        Claim("identity=a+b", claims: "a+b"),
        Claim("identity=a%2Bb%25", claims: "a+b%"),
        Claim("identity=;nobody,nobody=1", claims: nil),
        Claim("garbage,;x,=1,\",a=%zz,identity=ada", claims: "ada"),
        Claim("a=identity=grace;identity=eve,identity2=x,identity=ada", claims: "ada"),
        Claim("%69dentity2=mallory,%zz=x,a+identity=y,identity=ada", claims: "ada"),
        Claim(",, ,identity=ada,,", claims: "ada"),
        Claim("a=1", "", "identity=ada", "b=2", claims: "ada"),
        Claim(String(repeating: "a=1,", count: 63) + "identity=ada", claims: "ada"),
        Claim("identity=ada,a=" + String(repeating: "b", count: 8_177), claims: "ada"),
        Claim("identity=" + String(repeating: "%C3%A9", count: 512), claims: String(repeating: "é", count: 512)),
    ]

    @Test("that follows the rules claims exactly what it says, however it is spaced and encoded", arguments: claims)
    func accepted(_ claim: Claim) throws {
        let extracted = try #require(try baggage.claim(in: claim.values))
        #expect(extracted.unverifiedName.map { Array($0.utf8) } == claim.name.map { Array($0.utf8) })
    }

    @Test("without our member claims nothing", arguments: [[], [""], [",,"], ["a=1"], ["a=identity=ada;identity=eve"]])
    func nothing(_ values: [String]) throws {
        #expect(try baggage.claim(in: values) == nil)
    }
}
