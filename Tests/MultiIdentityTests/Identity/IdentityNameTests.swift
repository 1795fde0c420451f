import MultiIdentity
import Testing

@Suite("A name that breaks a rule is refused, and nothing is trimmed") struct IdentityNameTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let name: String
        let code: IdentityError.Code
        let offset: Int

        init(_ name: String, _ code: IdentityError.Code, _ offset: Int) {
            (self.name, self.code, self.offset) = (name, code, offset)
        }

        var testDescription: String { "\(code) at \(offset) in \(name.prefix(16).debugDescription)" }
    }

    static let refusals: [Refusal] =
        [
            Refusal("", .emptyName, 0),
            Refusal(String(repeating: "a", count: 1_025), .nameTooLong, 1_024),
            Refusal(String(repeating: "é", count: 512) + "a", .nameTooLong, 1_024),
            Refusal(String(repeating: "a", count: 1_023) + "é", .nameTooLong, 1_024),
            Refusal(" ", .surroundingWhiteSpace, 0),
            Refusal(" ada", .surroundingWhiteSpace, 0),
            Refusal("ada ", .surroundingWhiteSpace, 3),
            Refusal("ada  ", .surroundingWhiteSpace, 4),
            Refusal("é ", .surroundingWhiteSpace, 2),
            Refusal("ad\u{0}a", .controlCharacter, 2),
            Refusal("\t ada", .controlCharacter, 0),
            Refusal("é\u{7F}", .controlCharacter, 2),
            Refusal("ada\r\n", .lineBreak, 3),
            Refusal("a\u{1}\n ", .controlCharacter, 1),
        ]
        + [0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029].flatMap { around($0, .lineBreak) }
        + ([0x00...0x09, 0x0E...0x1F, 0x7F...0x84, 0x86...0x9F] as [ClosedRange<UInt32>]).joined()
        .flatMap { around($0, .controlCharacter) }

    /// Returns names with a scalar that is refused anywhere: at the start, inside, and at the end.
    private static func around(_ value: UInt32, _ code: IdentityError.Code) -> [Refusal] {
        guard let scalar = Unicode.Scalar(value) else { return [] }
        return [
            Refusal("\(scalar)ada", code, 0), Refusal("ad\(scalar)a", code, 2), Refusal("é\(scalar)", code, 2),
            Refusal("ada\(scalar)", code, 3),
        ]
    }

    @Test("with the rule and the UTF-8 offset", .rule("1.4"), arguments: refusals)
    func refused(_ refusal: Refusal) {
        let error = #expect(throws: IdentityError.self) { try Identity(refusal.name) }
        #expect(error?.code == refusal.code)
        #expect(error?.utf8Offset == refusal.offset)
        let same = #expect(throws: IdentityError.self) { try Identity(utf8: refusal.name.utf8) }
        #expect(same == error, "as bytes it is the same error")
    }

    /// White_Space in Unicode, except control characters and line breaks.
    static let spaces: [Unicode.Scalar] = [
        " ", "\u{A0}", "\u{1680}", "\u{2000}", "\u{2001}", "\u{2002}", "\u{2003}", "\u{2004}", "\u{2005}", "\u{2006}",
        "\u{2007}", "\u{2008}", "\u{2009}", "\u{200A}", "\u{202F}", "\u{205F}", "\u{3000}",
    ]

    @Test("white space is allowed inside a name, at neither end", .rule("1.4"), arguments: spaces)
    func whiteSpace(_ space: Unicode.Scalar) throws {
        #expect(try Identity("ada\(space)lovelace").name == "ada\(space)lovelace")
        for (name, offset) in [("\(space)ada", 0), ("ada\(space)", 3), ("\(space)", 0)] {
            let error = expect(throws: IdentityError.Code.surroundingWhiteSpace) { try Identity(name) }
            #expect(error?.utf8Offset == offset)
        }
    }

    @Test(
        "a name that follows every rule is accepted",
        .rule("1.4"),
        arguments: [
            "a", "ada@contoso.com", "3ec2c00f-ab12", "ada lovelace", "日本", "🙂", "~", "!", "\u{300}", "\u{AD}",
            String(repeating: "a", count: 1_024), String(repeating: "é", count: 512),
            String(repeating: "🙂", count: 256), String(repeating: " ", count: 1_022).enclosed(in: "a"),
        ]
    )
    func taken(_ name: String) throws {
        #expect(try Identity(name).name == name)
        #expect(try Identity(utf8: Array(name.utf8)).name == name)
        #expect(try Identity(utf8: name.utf8.lazy.map { $0 }) == Identity(name))
    }

    @Test("the limit is a public number")
    func limit() { #expect(Identity.maximumNameLength == 1_024) }

    @Test(
        "bytes that are not UTF-8 are refused and not replaced",
        .rule("1.4"),
        arguments: [
            ([0xFF], 0), ([0x61, 0x80], 1), ([0x61, 0xC3], 1), ([0xC3, 0xA9, 0xC3, 0x28], 2), ([0xC0, 0xAF], 0),
            ([0x61, 0xED, 0xA0, 0x80], 1), ([0xF4, 0x90, 0x80, 0x80], 0), ([0x61, 0xF0, 0x9F, 0x99], 1),
            ([0x20, 0xFE], 1),
        ] as [([UInt8], Int)]
    )
    func invalidBytes(_ bytes: [UInt8], _ offset: Int) {
        let error = expect(throws: IdentityError.Code.invalidUTF8) { try Identity(utf8: bytes) }
        #expect(error?.utf8Offset == offset)
        #expect(error?.message.contains("offset \(offset)") == true)
    }
}

extension String {
    fileprivate func enclosed(in end: String) -> String { end + self + end }
}
