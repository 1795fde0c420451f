import Foundation
import MultiIdentity
import MultiIdentityCarriers
import MultiIdentityTesting
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

    @Test("changed anywhere, is never verified as another identity", arguments: [1, UInt64.random(in: .min ... .max)])
    func mutations(seed: UInt64) throws {
        print("HostileHeaderTests.mutations: seed \(seed)")
        var random = CarriedNames(seed: seed)
        let verifier = ToySignatures.verifier()
        var ends: [String: Int] = [:]
        for name in ["ada@contoso.com", "é,;%=\"", "nobody"] + (0..<5).map({ _ in random.next() }) {
            guard let identity = try? Identity(name) else { continue }
            let value = try #require(
                try baggage.headerValue(for: identity, besides: ["a=1,b=2;x"], signing: ToySignatures.signing())
            )
            for _ in 0..<500 {
                let changed = String(decoding: mutated(Array(value.utf8), by: &random), as: UTF8.self)
                let end: String
                // Whatever came in, our own call states its caller.
                let own = try #require(try baggage.headerValue(for: identity, besides: [changed]))
                #expect(
                    try baggage.claim(in: [own])?.unverifiedName?.isExactly(name) == true,
                    "seed \(seed): \(changed)"
                )
                do {
                    guard let claim = try baggage.claim(in: [changed]) else {
                        ends["nothing", default: 0] += 1
                        continue
                    }
                    let verified = try claim.verified(by: verifier)
                    try #require(
                        verified.name.utf8.elementsEqual(name.utf8),
                        "seed \(seed): \(changed) is \(verified)"
                    )
                    end = "the same"
                } catch let error as IdentityCarrierError {
                    end = "\(error.code)"
                } catch let error as IdentityClaimError {
                    end = "\(error.code)"
                }
                ends[end, default: 0] += 1
            }
        }
        #expect(ends.count > 7, "or they are all alike: \(ends)")
    }

    /// Makes one to three changes: sets, removes or doubles a byte, moves a part, or inserts a meaningful one.
    private func mutated(_ bytes: [UInt8], by random: inout CarriedNames) -> [UInt8] {
        var bytes = bytes
        let words = [
            "identity=eve", ",", ";", "=", "%", "%00", ";nobody", ";iss=web", "%C0%AF", " ", "\r\n", "\u{0}", "é",
        ]
        for _ in 0...random.below(3) {
            let place = random.below(bytes.count)
            switch random.below(6) {
            case 0: bytes[place] = UInt8(random.below(256))
            case 1: bytes[place] ^= 1 << random.below(8)
            case 2 where bytes.count > 1: bytes.remove(at: place)
            case 3: bytes.insert(bytes[place], at: place)
            case 4: bytes = Array(bytes[place...]) + bytes[..<place]
            default: bytes.insert(contentsOf: Array(words[random.below(words.count)].utf8), at: place)
            }
        }
        return bytes
    }
}
