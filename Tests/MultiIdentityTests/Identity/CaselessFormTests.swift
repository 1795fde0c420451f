import MultiIdentity
import Testing

@Suite("Names are compared without case") struct CaselessFormTests {
    @Test(
        "two spellings of one name are the same",
        .rule("1.2"),
        arguments: [
            ("ada@contoso.com", "ADA@Contoso.COM"), ("3EC2C00F-AB", "3ec2c00f-ab"),
            ("straße", "STRASSE"), ("STRAẞE", "strasse"), ("ſ", "S"), ("ﬃ", "FFI"), ("ŉ", "ʼN"),
            ("\u{212A}", "k"), ("\u{212B}", "å"), ("\u{C5}", "a\u{30A}"), ("İ", "i\u{307}"),
            ("ὈΔΥΣΣΕΎΣ", "ὀδυσσεύς"), ("ᾼ", "αι"), ("ᾳ", "ΑΙ"), ("\u{345}", "ι"), ("µ", "μ"),
            ("ꭰꮳꭹ", "ᎠᏣᎩ"), ("ᏸ", "Ᏸ"), ("ǅ", "ǆ"), ("և", "ԵՒ"), ("𐐀", "𐐨"),
            // Two domains of IDNA 2008.
            ("ada@straße.example", "ada@STRASSE.example"), ("ada@βόλος.example", "ada@βόλοσ.example"),
            ("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"), ("\u{F900}", "豈"),
        ]
    )
    func sameName(_ first: String, _ second: String) {
        #expect(Array(CaselessForm.of(first).utf8) == Array(CaselessForm.of(second).utf8))
    }

    @Test(
        "names that differ by more than case stay different",
        .rule("1.2"),
        arguments: [
            ("ı", "i"), ("I", "ı"), ("İ", "i"), ("İ", "ı"), ("i\u{307}", "i"), ("ä", "a"), ("ø", "o"), ("ŋ", "n"),
            ("Ａ", "a"), ("ﬀ", "ﬁ"), ("②", "2"), ("ada@xn--strae-oqa.example", "ada@strasse.example"), ("@", "`"),
            ("[", "{"), ("가", "각"), ("ª", "a"), ("Ω", "ω\u{301}"),
        ]
    )
    func otherName(_ first: String, _ second: String) {
        #expect(Array(CaselessForm.of(first).utf8) != Array(CaselessForm.of(second).utf8))
    }

    @Test("a name is decomposed before it is folded: folding turns U+0345, which sorts last, into a letter")
    func decomposesFirst() {
        // If folding came first, the iota would stop the accent from reaching the alpha, and the two would differ.
        for name in ["\u{1FB4}", "α\u{345}\u{301}", "α\u{301}\u{345}", "\u{1FB3}\u{301}", "\u{3AC}\u{345}"] {
            #expect(CaselessForm.of(name).unicodeScalars.elementsEqual("α\u{301}ι".unicodeScalars))
        }
    }

    @Test("marks are sorted by their class, and stably within a class")
    func orderOfMarks() {
        let sorted = "a\u{323}\u{301}\u{302}".unicodeScalars
        #expect(CaselessForm.of("A\u{301}\u{323}\u{302}").unicodeScalars.elementsEqual(sorted))
        #expect(CaselessForm.of("A\u{301}\u{302}\u{323}").unicodeScalars.elementsEqual(sorted))
        #expect(!CaselessForm.of("A\u{302}\u{301}\u{323}").unicodeScalars.elementsEqual(sorted))
    }

    @Test("a long run of marks is sorted", arguments: [1, 32, 33, 300, 20_000])
    func longRun(length: Int) {
        let above = String(repeating: "\u{301}\u{302}", count: length)
        let below = String(repeating: "\u{323}", count: length)
        let mixed = "A" + String(repeating: "\u{301}\u{323}\u{302}", count: length)
        #expect(CaselessForm.of(mixed).unicodeScalars.elementsEqual(("a" + below + above).unicodeScalars))
    }

    @Test("in ASCII, only capital letters change")
    func ascii() {
        for value in UInt8(0)..<128 {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(value)
            #expect(Array(CaselessForm.of(String(Unicode.Scalar(value))).utf8) == [isCapital ? value + 32 : value])
        }
        #expect(CaselessForm.of("") == "")
    }
}
