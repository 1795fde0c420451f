import MultiIdentity
import MultiIdentityPolicy
@_spi(Checks) import MultiIdentityTesting
import Testing

/// Changes a valid text in many ways: it is read whole or refused, and never crashes its reader.
@Suite("A randomly changed text of policies", .rule("8.6")) struct MadeUpPolicyTextTests {
    private static let good = Array(
        """
        {"version": 1, "allowedAccounts": ["ada", null, "\\u00eb\\ud83d\\ude00"], "standard": {"log": true},
        "identities": {"ada@contoso.com": {"saveTo": {"services": {"box": "refused"}, "other": false}, "shareWith": "none"},
        "bob": {"openFrom": {"deviceInput": true, "spaces": ["ada@contoso.com"]}, "receiveFrom": "anyone", "notify": "everything", "automate": true}}}
        """.utf8
    )
    private static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "null", "true", "-", "1e9", "0", "\n",
            "\"ada\"", "{\"", "]}",
        ].map { Array($0.utf8) } + [[0xFF], [0], [0xEF, 0xBB, 0xBF], [0xC3], [0xF0, 0x9F]]

    @Test("is read whole or refused, with an existing line", arguments: UInt64(1)...6)
    func changed(
        _ seed: UInt64
    ) {
        var dice = SeededGenerator(seed: seed)
        for _ in 0..<1_500 {
            var text = Self.good
            for _ in 0..<Int.random(in: 1...6, using: &dice) {
                let start = Int.random(in: 0...text.count, using: &dice)
                let end = min(text.count, start + Int.random(in: 0...12, using: &dice))
                switch Int.random(in: 0..<4, using: &dice) {
                case 0: text.removeSubrange(start..<end)
                case 1: text.insert(contentsOf: Self.pieces.randomElement(using: &dice) ?? [], at: start)
                case 2: text.insert(contentsOf: text[start..<end], at: Int.random(in: 0...text.count, using: &dice))
                default: if start < text.count { text[start] = UInt8.random(in: 0...255, using: &dice) }
                }
            }
            do {
                _ = try PolicySet(json: text)
            } catch {
                let lines = text.count { $0 == 0x0A } + 1
                #expect((1...lines).contains(error.line ?? 0), "seed \(seed): \(error)")
                #expect(!error.message.unicodeScalars.contains { $0.properties.generalCategory == .control })
            }
        }
    }

    @Test("is refused if it is truncated anywhere") func cut() throws {
        let good = Self.good.split(separator: UInt8(ascii: ",")).filter { $0 != Array(" null".utf8)[...] }
        let whole = Array(good.joined(separator: [UInt8(ascii: ",")]))
        _ = try PolicySet(json: whole)
        for length in 0..<whole.count {
            #expect(throws: PolicyError.self, "of \(length) bytes") { try PolicySet(json: whole[..<length]) }
        }
    }
}
