import Testing

@testable import RedisIdentity

@Suite("What the server sends") struct RedisParserTests {
    static let answers: [(String, RedisValue)] = [
        ("+OK\r\n", .word("OK")),
        ("-ERR no\r\n", .error("ERR no")),
        (":-42\r\n", .integer(-42)),
        ("$5\r\nhe\r\no\r\n", .bytes(Array("he\r\no".utf8))),
        ("$0\r\n\r\n", .bytes([])),
        ("$-1\r\n", .nothing),
        ("*-1\r\n", .nothing),
        ("*2\r\n$1\r\na\r\n*1\r\n:1\r\n", .several([.bytes([97]), .several([.integer(1)])])),
        ("_\r\n", .nothing),
        ("#t\r\n", .boolean(true)),
        (",1.5\r\n", .number("1.5")),
        ("%1\r\n+a\r\n:1\r\n", .several([.word("a"), .integer(1)])),
        ("~1\r\n+a\r\n", .several([.word("a")])),
        ("=6\r\ntxt:ab\r\n", .bytes(Array("txt:ab".utf8))),
        ("!2\r\nno\r\n", .error("no")),
    ]

    @Test("is read as it is, however it is cut")
    func cut() throws {
        let bytes = Self.answers.flatMap { Array($0.0.utf8) }
        for size in 1...40 {
            var (parser, found) = (RedisParser(), [RedisParser.Message]())
            for start in stride(from: 0, to: bytes.count, by: size) {
                parser.append(bytes[start..<min(start + size, bytes.count)])
                while let message = try parser.next() { found.append(message) }
            }
            #expect(found == Self.answers.map { .answer($0.1) })
        }
    }

    @Test("unasked is no answer")
    func push() throws {
        var parser = RedisParser()
        parser.append(Array(">2\r\n+invalidate\r\n*0\r\n+OK\r\n".utf8))
        #expect(try parser.next() == .push)
        #expect(try parser.next() == .answer(.word("OK")))
        #expect(try parser.next() == nil)
    }

    @Test(
        "and is none is an error",
        arguments: [
            "?\r\n", "$-2\r\n", "$x\r\n", "$1\r\nabc", "$99999999999\r\n", ":1.5\r\n", "#x\r\n", "+a\rb",
            "*9999999\r\n",
            String(repeating: "*1\r\n", count: 50), "+" + String(repeating: "a", count: 70_000),
        ]
    )
    func malformed(_ text: String) {
        var parser = RedisParser()
        parser.append(Array(text.utf8))
        #expect(throws: RedisError.self) { try parser.next() }
    }

    @Test("and is random ends with an answer, an error, or the wish for more")
    func random() {
        var random = SeededGenerator(seed: 20_260_722)
        let parts =
            [
                "+", "-", ":", "$", "*", "_", "#", ",", "%", "~", ">", "=", "!", "(", "0", "1", "2", "9", "t", "a",
                "\r", "\n",
            ]
            + Array(repeating: "\r\n", count: 12)
        var (answers, errors) = (0, 0)
        for _ in 0..<20_000 {
            var parser = RedisParser()
            for _ in 0..<Int.random(in: 1...24, using: &random) {
                parser.append(Array((parts.randomElement(using: &random) ?? "").utf8))
            }
            do { while try parser.next() != nil { answers += 1 } } catch { errors += 1 }
        }
        #expect(answers > 100 && errors > 100)
    }
}
