import MultiIdentity
import Testing

@Suite("An error about a name says what to do") struct IdentityErrorTests {
    @Test("it shows the name, the character, and its place", .rule("5.1"))
    func message() {
        let error = #expect(throws: IdentityError.self) { try Identity("ada\u{1B}@contoso.com") }
        #expect(
            error?.message == """
                The name "ada\\u{1B}@contoso.com" has a control character, U+001B, at UTF-8 offset 3. \
                Names are not trimmed: clean the name at its source.
                """
        )
        #expect(error?.description == "controlCharacter: \(error?.message ?? "")")
    }

    @Test("an empty name's mentions nobody", .rule("5.1"))
    func emptyName() {
        let error = #expect(throws: IdentityError.self) { try Identity("") }
        #expect(error?.message.contains("Identity.nobody") == true)
    }

    @Test("a long name's shows the beginning and the length, and stays short", .rule("5.1"))
    func longName() {
        let error = #expect(throws: IdentityError.self) { try Identity("start" + String(repeating: "x", count: 5_000)) }
        #expect(error?.message.contains("\"startxxx") == true)
        #expect(error?.message.contains("5005") == true)
        #expect((error?.message.utf8.count ?? .max) < 300)
    }

    static let hostile = [
        "\u{0}", "\u{7}", "\u{1B}[2J", "\n", "\r", "\u{7F}", "\u{85}", "\u{9B}2J", "\u{2028}", "\u{2029}",
    ]

    @Test("text that could act on a terminal or break a log line is escaped", .rule("5.1"), arguments: hostile)
    func escaped(_ part: String) {
        let error = #expect(throws: IdentityError.self) { try Identity("ada\(part)x") }
        let acting = (error?.description ?? "\n").unicodeScalars.filter {
            $0.properties.generalCategory == .control || $0 == "\u{2028}" || $0 == "\u{2029}"
        }
        #expect(acting.map { String($0.value, radix: 16) } == [])
    }

    @Test("a quotation mark in a name does not end it")
    func quotationMark() {
        let error = #expect(throws: IdentityError.self) { try Identity("a\"b\n") }
        #expect(error?.message.contains("\"a\\\"b\\n\"") == true)
    }
}
