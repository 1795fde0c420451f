import MultiIdentity
import MultiIdentityCarriers
import Testing

@Suite("A carrier that already has baggage", .rule("4.13")) struct BaggageMergingTests {
    private let baggage = IdentityBaggage.standard

    struct Merge: Sendable, CustomTestStringConvertible {
        let before: [String]
        /// The remaining members of others.
        let others: String

        init(_ before: [String], _ others: String) { (self.before, self.others) = (before, others) }

        var testDescription: String { "\(before)" }
    }

    static let merges = [
        Merge(["tenant=contoso"], "tenant=contoso"),
        Merge(["tenant=contoso;ttl=3;flag, trace = 1 ; x"], "tenant=contoso;ttl=3;flag,trace = 1 ; x"),
        Merge(["a=1,identity=eve,b=2"], "a=1,b=2"),
        Merge(["identity=eve;iss=x;aud=y;exp=1;sig=AA"], ""),
        Merge(["identity=eve,a=1,identity=mallory", "identity=trudy , b=2"], "a=1,b=2"),
        Merge(["Identity=eve,a=1,IDENTITY=mallory"], "a=1"),
        Merge(["identity", "identity;nobody", "identity=%ZZ,a=1"], "a=1"),
        Merge([" identity = eve ,\ta=1\t"], "a=1"),
        Merge(["identity2=eve,xidentity=eve,a=identity=eve"], "identity2=eve,xidentity=eve,a=identity=eve"),
        Merge(["a=%20%zz,=x,b"], "a=%20%zz,=x,b"),
        Merge(["a=1", "b=2", "", "c=3"], "a=1,b=2,c=3"),
        Merge([",, ,a=1,"], "a=1"),
        Merge([""], ""),
    ]

    @Test("keeps the members of others unchanged, and has ours once", arguments: merges)
    func merged(_ merge: Merge) throws {
        var headers = Headers(baggage: merge.before)
        headers["traceparent"] = ["00-1"]
        try baggage.inject(ada, into: &headers, using: HeaderFields())
        let separator = merge.others.isEmpty ? "" : ","
        #expect(headers["baggage"] == [merge.others + separator + "identity=ada@contoso.com"])
        #expect(headers["traceparent"] == ["00-1"])
        #expect(try baggage.extract(from: headers, using: HeaderFields())?.unverifiedName == "ada@contoso.com")
        let again = headers
        try baggage.inject(ada, into: &headers, using: HeaderFields())
        #expect(headers["baggage"] == again["baggage"], "again changes nothing")
    }

    @Test("loses ours if nothing is bound, so that received claims are not passed on", arguments: merges)
    func unset(_ merge: Merge) throws {
        var headers = Headers(baggage: merge.before)
        try baggage.inject(nil, into: &headers, using: HeaderFields())
        #expect(headers["baggage"] == (merge.others.isEmpty ? [] : [merge.others]))
    }

    @Test("has ours, and as many of others as fit") func limits() throws {
        func members(_ count: Int) -> String { (0..<count).map { "m\($0)=1" }.joined(separator: ",") }
        func filled(_ count: Int) -> String { "a=1,b=" + String(repeating: "b", count: count - 6) }
        let ours = "identity=ada@contoso.com"
        let room = 8_192 - ours.utf8.count - 1
        for (before, bound, unset) in [
            (members(63), "\(members(63)),\(ours)", members(63)), (members(64), "\(members(63)),\(ours)", members(64)),
            (members(200) + ",identity=eve", "\(members(63)),\(ours)", members(64)),
            (filled(room), "\(filled(room)),\(ours)", filled(room)),
            (filled(room + 1), "a=1,\(ours)", filled(room + 1)),
            (filled(8_192), "a=1,\(ours)", filled(8_192)), (filled(8_193), "a=1,\(ours)", "a=1"),
            ("a=1\r\nSet-Cookie: b", ours, nil), ("a=\u{e4}", ours, nil),
        ] as [(String, String, String?)] {
            for (identity, after) in [(ada, bound), (nil, unset)] as [(Identity?, String?)] {
                var headers = Headers(baggage: [before])
                try baggage.inject(identity, into: &headers, using: HeaderFields())
                #expect(headers["baggage"] == (after.map { [$0] } ?? []), "\(before.prefix(60))")
                #expect(try baggage.extract(from: headers, using: HeaderFields())?.unverifiedName == identity?.name)
            }
        }
        // Only ours: nothing is dropped for it.
        var headers = Headers(baggage: ["a=1"])
        let signing = try IdentitySigning(issuer: "web", audience: "orders") { _ in [UInt8](repeating: 1, count: 8_192)
        }
        let error = #expect(throws: IdentityCarrierError.self) {
            try baggage.inject(ada, into: &headers, using: HeaderFields(), signing: signing)
        }
        #expect(error?.code == .tooLong && headers["baggage"] == ["a=1"])
    }

    @Test("with an injector that adds instead of replacing is reported") func addingInjector() throws {
        var headers = Headers()
        try baggage.inject(ada, into: &headers, using: AddingFields())
        for identity in [ada, .nobody, nil] {
            var headers = headers
            expect(throws: IdentityCarrierError.Code.notReplaced) {
                try baggage.inject(identity, into: &headers, using: AddingFields())
            }
        }
    }

    @Test("is not signed if nothing is bound, and is left unchanged if signing fails") func signing() throws {
        struct NoKey: Error {}
        let failing = try IdentitySigning(issuer: "web", audience: "orders") { _ in throw NoKey() }
        var headers = Headers(baggage: ["a=1,identity=eve"])
        let before = headers
        #expect(throws: NoKey.self) {
            try baggage.inject(ada, into: &headers, using: HeaderFields(), signing: failing)
        }
        #expect(headers == before)
        try baggage.inject(nil, into: &headers, using: HeaderFields(), signing: failing)
        #expect(headers["baggage"] == ["a=1"])
        let empty = try IdentitySigning(issuer: "web", audience: "orders") { _ in [] }
        expect(throws: IdentityCarrierError.Code.invalidTerms) { try baggage.headerValue(for: ada, signing: empty) }
    }
}
