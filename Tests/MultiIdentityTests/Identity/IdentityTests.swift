import MultiIdentity
import Testing

@Suite("An identity is a name, whatever its case") struct IdentityTests {
    static let spellings = [
        "ada@contoso.com", "ADA@Contoso.COM", "Ada@contoso.com", "3EC2C00F-AB", "Straße", "e\u{301}",
    ]

    @Test("the given spelling is returned", .rule("1.1"), arguments: spellings)
    func spelling(_ name: String) throws {
        let identity = try Identity(name)
        #expect(Array(identity.name.utf8) == Array(name.utf8))
        #expect(identity.description == name)
        #expect(identity.debugDescription == "Identity(\"\(name)\")")
        #expect(!identity.isNobody)
    }

    @Test("a spelling is kept beside another one of the same living identity", .rule("1.1"))
    func spellingsSideBySide() throws {
        let one = try Identity("ada@contoso.com")
        let other = try Identity("ADA@CONTOSO.COM")
        #expect(one == other)
        #expect(one.name == "ada@contoso.com")
        #expect(other.name == "ADA@CONTOSO.COM")
    }

    @Test(
        "names that differ only in case or normalization are one identity, and hash alike",
        .rule("1.2"),
        .guide("an identity is a user name"),
        arguments: [
            ("ada@contoso.com", "ADA@Contoso.COM"), ("straße@contoso.com", "STRASSE@CONTOSO.COM"),
            ("\u{E9}", "E\u{301}"), ("\u{212B}", "a\u{30A}"), ("ΣΟΦΟΣ", "σοφος"), ("a b", "A B"),
        ]
    )
    func equality(_ first: String, _ second: String) throws {
        let (one, other) = (try Identity(first), try Identity(second))
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(Set([one, other]).count == 1)
        #expect([one: 1][other] == 1)
        #expect(!(one < other) && !(other < one), "what is equal sorts neither way")
        #expect(Array(one.caselessName.utf8) == Array(other.caselessName.utf8), "one row of a database")
    }

    @Test(
        "names that differ by more are two identities",
        .rule("1.2"),
        arguments: [
            ("ada@contoso.com", "grace@contoso.com"), ("ı", "i"), ("\u{E9}", "e"), ("a", "\u{430}"), ("a b", "a  b"),
            ("\u{AD}a", "a"), ("ada", "ada."),
        ]
    )
    func difference(_ first: String, _ second: String) throws {
        let (one, other) = (try Identity(first), try Identity(second))
        #expect(one != other)
        #expect(Set([one, other]).count == 2)
        #expect(Array(one.caselessName.utf8) != Array(other.caselessName.utf8), "two rows of a database")
        #expect((one < other) != (other < one), "one of two different identities sorts first")
    }

    @Test("equality does not depend on the Unicode version of the system's own strings", .rule("1.2"))
    func newerScalars() throws {
        // Unicode 16.0 gave U+105C9 this decomposition; in our table's version both are unassigned, so they differ.
        #expect(try Identity("\u{105C9}") != Identity("\u{105D2}\u{307}"))
    }

    @Test("identities are sorted by their names without case, nobody first", .rule("1.5"))
    func order() throws {
        let names = ["b", "A", "ä", "a1", "C", "Z", "a", "\u{FFFD}", "\u{10000}"]
        let sorted = try (names.map { try Identity($0) } + [.nobody]).shuffled().sorted()
        #expect(sorted.first == .nobody)
        let keys = sorted.map { CaselessForm.of($0.name).unicodeScalars.map(\.value) }
        for (one, next) in zip(keys, keys.dropFirst()) {
            #expect(one.lexicographicallyPrecedes(next) || one == next)
        }
    }

    @Test(
        "nobody, unset and a name are three values",
        .rule("1.3"),
        .guide("the empty string for a deliberately unmanaged user")
    )
    func threeValues() throws {
        let values: [Identity?] = [nil, .nobody, try Identity("ada@contoso.com")]
        for (index, one) in values.enumerated() {
            for (otherIndex, other) in values.enumerated() { #expect((one == other) == (index == otherIndex)) }
        }
        #expect(Set(values).count == 3)
        #expect(Set(values + values).count == 3)
    }

    @Test("nobody is described as nobody, has an empty name, and no name makes it", .rule("1.3"))
    func nobody() throws {
        #expect(Identity.nobody.isNobody)
        #expect(Identity.nobody.caselessName.isEmpty)
        #expect(Identity.nobody.name == "")
        #expect(Identity.nobody.description == "(nobody)")
        #expect(Identity.nobody.debugDescription == "Identity.nobody")
        for name in ["nobody", "(nobody)", "Identity.nobody", "nil", "null"] {
            let named = try Identity(name)
            #expect(named != .nobody)
            #expect(!named.isNobody)
        }
    }

    @Test("an identity is one reference, and so is an optional one")
    func size() {
        #expect(MemoryLayout<Identity>.size == MemoryLayout<UnsafeRawPointer>.size)
        #expect(MemoryLayout<Identity?>.size == MemoryLayout<UnsafeRawPointer>.size)
    }

    @Test("if an identity is required, unset is an error that says what to do, and nobody is valid", .rule("5.1"))
    func required() throws {
        let error = expect(throws: IdentityError.Code.noIdentity) {
            try withIdentity(nil) { try Identity.required(fileID: "Mail/Sending.swift", line: 12) }
        }
        #expect(error?.utf8Offset == nil)
        #expect(error?.message.contains("Mail/Sending.swift:12") == true)
        #expect(error?.message.contains("withIdentity(_:)") == true)
        #expect(try withIdentity(.nobody) { try Identity.required() } == .nobody)
        #expect(try withIdentity(ada) { try Identity.required() } == ada)
    }
}
