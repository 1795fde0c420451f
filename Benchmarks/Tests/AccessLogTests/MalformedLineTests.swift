import AccessLog
import Testing

@Suite("A malformed line is reported with its number and the reason")
struct MalformedLineTests {
    private static let moment = "[10/Oct/2000:13:55:36 -0700]"
    private static let good = "::1 - ada \(moment) \"GET / HTTP/1.1\" 200 5"

    private func reason(_ line: [UInt8]) throws -> MalformedLine.Reason? {
        // Good lines around it show that one bad line spoils nothing else.
        let good = Array(Self.good.utf8)
        let lines = try TemporaryLog.lines(of: good + [0x0A] + line + [0x0A] + good)
        try #require(lines.count == 3)
        #expect(lines[0].entry?.user == "ada")
        #expect(lines[2].entry?.user == "ada")
        #expect(lines[1].lineNumber == 2)
        return lines[1].reason
    }

    @Test(
        "A field that is missing or wrong is named",
        arguments: [
            ("", .blank), (" ", .missingHost), ("-", .missingHost), (" - ada \(moment) \"-\" 200 5", .missingHost),
            ("::1", .missingHost), ("::1 -", .missingIdentity), ("::1  ada \(moment) \"-\" 200 5", .missingIdentity),
            ("::1 \(moment) \"-\" 200 5", .missingIdentity), ("::1 - \(moment) \"-\" 200 5", .missingUser),
            ("::1 -  \(moment) \"-\" 200 5", .missingUser), ("::1 - ada", .missingTimestamp),
            ("::1 - ada\(moment) \"-\" 200 5", .missingTimestamp), ("::1 - ada [] \"-\" 200 5", .invalidTimestamp),
            ("::1 - ada [10/10/2000:13:55:36 -0700] \"-\" 200 5", .invalidTimestamp),
            ("::1 - ada [10/Oct/2000:13:55:36 -07", .invalidTimestamp),
            ("example.com:443 ::1 - ada \(moment) \"-\" 200 5", .extraField), ("::1 - ada \(moment)", .missingRequest),
            ("::1 - ada \(moment) 200 5", .missingRequest), ("::1 - ada \(moment)\"-\" 200 5", .missingRequest),
            ("::1 - ada \(moment) \"GET / HTTP/1.1", .unterminatedRequest),
            ("::1 - ada \(moment) \"GET /\\\" 200 5", .unterminatedRequest),
            ("::1 - ada \(moment) \"", .unterminatedRequest),
        ] as [(String, MalformedLine.Reason)]
    )
    func fields(line: String, expected: MalformedLine.Reason) throws {
        #expect(try reason(Array(line.utf8)) == expected)
    }

    @Test(
        "Words in front of the host are refused, and in no user",
        arguments: [
            "<34>1 2026-10-10T13:55:36Z web nginx 42 - - ", "Oct 10 13:55:36 web nginx[42]: ", "2026-10-10 13:55:36 ",
            "2026-10-10T13:55:36.123456789Z stdout F ", "web_1  | ", "web-1 | ", "192.0.2.1, 192.0.2.2, ", "- - ",
            "[10/Oct/2000:13:55:36 -0700] ", "example.com:443 ",
        ],
        ["ada", "bob smith", "-", "\"\""]
    )
    func prefix(prefix: String, user: String) throws {
        let reason = try reason(Array("\(prefix)::1 - \(user) \(Self.moment) \"GET / HTTP/1.1\" 200 5".utf8))
        #expect(reason == .extraField || prefix == "web_1  | " && reason == .missingIdentity)
    }

    @Test(
        "A status that is not a number from 100 to 599 is malformed",
        arguments: [
            "-1", "-200", "+20", "0", "000", "009", "099", "600", "999", "20", "2000", "0200", "-", "abc", "2e2",
        ]
    )
    func status(text: String) throws {
        #expect(try reason(Array("::1 - ada \(Self.moment) \"-\" \(text) 5".utf8)) == .invalidStatus(text))
    }

    @Test("A status that is missing is malformed", arguments: ["", " ", "200 5"])
    func missingStatus(tail: String) throws {
        #expect(try reason(Array("::1 - ada \(Self.moment) \"-\"\(tail)".utf8)) == .invalidStatus(""))
    }

    @Test(
        "A size that is not a number that fits is malformed",
        arguments: ["", "-1", "--", "+5", "1.5", "5k", "9223372036854775808"]
    )
    func size(text: String) throws {
        #expect(try reason(Array("::1 - ada \(Self.moment) \"-\" 200 \(text)".utf8)) == .invalidSize(text))
    }

    @Test("Only the beginning of a long wrong value is reported")
    func excerpt() throws {
        let text = String(repeating: "9", count: 5000)
        let reason = try reason(Array("::1 - ada \(Self.moment) \"-\" \(text) 5".utf8))
        #expect(reason == .invalidStatus(String(repeating: "9", count: 24)))
    }

    @Test(
        "A tail that is not two quoted fields is malformed",
        arguments: [
            " ", " x", "  \"-\" \"-\"", " \"", " \"-", " \"-\"", " \"-\" ", " \"-\" \"", " \"-\" \"agent",
            " \"-\" \"agent\"x", " \"-\" \"agent\\\"", " - -",
        ]
    )
    func tail(tail: String) throws {
        #expect(try reason(Array((Self.good + tail).utf8)) == .invalidTail)
    }

    @Test("Every control byte but the line feed is malformed", arguments: Array(UInt8(0)..<0x20) + [0x7F])
    func controlBytes(byte: UInt8) throws {
        guard byte != 0x0A else { return }
        #expect(try reason(Array("::1 - a".utf8) + [byte] + Array("da".utf8)) == .controlByte(byte, offset: 7))
    }

    @Test(
        "Bytes that are not UTF-8 are reported with their offset",
        arguments: [[0xE9], [0xC3, 0x28], [0xFF], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF0, 0x9F, 0xA6]] as [[UInt8]]
    )
    func invalidUTF8(bytes: [UInt8]) throws {
        let line = Array("::1 - zoë".utf8) + bytes + Array(" \(Self.moment) \"-\" 200 5".utf8)
        #expect(try reason(line) == .invalidUTF8(offset: 10))
    }

    @Test(
        "An unknown or unfinished escape is reported with its offset",
        arguments: [#"\"#, #"\q"#, #"\a"#, #"\x"#, #"\x4"#, #"\xZZ"#, #"\x4g"#, #"\x+4"#, #"\u00e9"#]
    )
    func escapes(escape: String) throws {
        let user = "::1 - CONTOSO\(escape) \(Self.moment) \"-\" 200 5"
        #expect(try reason(Array(user.utf8)) == .invalidEscape(.user, offset: 7))
        let request = "::1 - - \(Self.moment) \"GET /\(escape) HTTP/1.1\" 200 5"
        #expect(try reason(Array(request.utf8)) == .invalidEscape(.request, offset: 5))
    }

    @Test("Escapes that decode to other than UTF-8 are malformed", arguments: [#"\xE9"#, #"\xC3"#, #"\xFF\xFE"#])
    func decodedText(escape: String) throws {
        let user = "::1 - ren\(escape)@contoso.com \(Self.moment) \"GET / HTTP/1.1\" 401 5"
        #expect(try reason(Array(user.utf8)) == .decodedTextNotUTF8(.user))
        let request = "::1 - - \(Self.moment) \"GET /caf\(escape) HTTP/1.1\" 404 5"
        #expect(try reason(Array(request.utf8)) == .decodedTextNotUTF8(.request))
    }

    @Test("A report names the line and what is wrong in one line of text")
    func description() throws {
        let line = MalformedLine(lineNumber: 7, reason: .invalidStatus("2\n0"))
        #expect("\(line)" == #"line 7: the status is "2\n0", not a number from 100 to 599"#)
    }
}
