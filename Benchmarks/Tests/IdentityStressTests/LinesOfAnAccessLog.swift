import Foundation
@_spi(Checks) import MultiIdentityTesting
import Testing

@testable import IdentityStress

@Suite("A line of an access log") struct LinesOfAnAccessLog {
    private static let moment = "[10/Oct/2000:13:55:36 -0700]"
    private static let good = "::1 - ada \(moment) \"GET /a HTTP/1.1\" 200 5"
    private static let ada = LoggedRequest(user: "ada", path: "/a")

    private func lines(at path: String) throws -> [AccessLogLine] {
        let reader = try AccessLogReader(path: path)
        var lines: [AccessLogLine] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    private func lines(of bytes: [UInt8]) throws -> [AccessLogLine] {
        let file = FileManager.default.temporaryDirectory.appending(path: "access-\(UUID().uuidString).log")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try lines(at: file.path)
    }

    private func lines(of text: String) throws -> [AccessLogLine] { try lines(of: Array(text.utf8)) }

    @Test(
        "has its user as written, with escapes decoded",
        arguments: [
            ("ada@contoso.com", "ada@contoso.com"), ("ADA@Contoso.com", "ADA@Contoso.com"), ("bob smith", "bob smith"),
            ("-x", "-x"), ("--", "--"), ("a  b ", "a  b "), ("bob [admin] smith", "bob [admin] smith"),
            ("[admin]", "[admin]"), ("x [01/Jan/2000", "x [01/Jan/2000"),
            ("x [01/Jan/2000:00:00:00 +0000] y", "x [01/Jan/2000:00:00:00 +0000] y"),
            (
                #"x [01/Jan/2000:00:00:00 +0000] \x22GET / HTTP/1.1\x22 200 5"#,
                #"x [01/Jan/2000:00:00:00 +0000] "GET / HTTP/1.1" 200 5"#
            ),
            (#"zo\xC3\xAB"#, "zoë"), (#"zo\xc3\xab"#, "zoë"), ("李雷", "李雷"), (#"CONTOSO\x5Cada"#, #"CONTOSO\ada"#),
            (#"CONTOSO\\ada"#, #"CONTOSO\ada"#), (#"o\"neil"#, #"o"neil"#), (#"o\x22neil"#, #"o"neil"#),
            (#"\t\n\r\v\f\b"#, "\t\n\r\u{B}\u{C}\u{8}"), (#"a\x00b"#, "a\0b"), ("-", nil), (#""""#, nil),
        ] as [(String, String?)]
    )
    func user(_ field: String, _ user: String?) throws {
        // Also where it has an address of another kind, a second field, and the tails of formats that say more.
        for (host, tail) in [("127.0.0.1", ""), ("2001:db8::7%eth0", #" "-" "an "agent"" 0.003"#)] {
            let lines = try lines(of: "\(host) - \(field) \(Self.moment) \"GET / HTTP/1.1\" 304 -\(tail)")
            guard lines.count == 1, case .request(let request, 1) = lines[0] else { return #expect(lines == []) }
            // Bytes are compared, because two spellings of ë are equal as strings.
            #expect(request.user.map { Array($0.utf8) } == user.map { Array($0.utf8) })
        }
    }

    @Test(
        "has the path of its request without the query, and none where that is no request",
        arguments: [
            ("GET /mail/inbox HTTP/1.1", "/mail/inbox"), ("POST / HTTP/2.0", "/"), ("GET /a#b HTTP/1.1", "/a"),
            ("GET /api/v1/search?q=a%20b&c=? HTTP/1.1", "/api/v1/search"), ("VERSION-CONTROL /a HTTP/1.1", "/a"),
            ("GET /unfinished", "/unfinished"), ("GET /two words HTTP/1.1", "/two words"),
            (#"GET /a\x22b HTTP/1.1"#, #"/a"b"#), (#"GET /a"b HTTP/1.1"#, #"/a"b"#), (#"GET /a\\b HTTP/1.1"#, #"/a\b"#),
            (#"GET /caf\xC3\xA9 HTTP/1.1"#, "/café"), ("GET http://example.com/a?b HTTP/1.1", "/a"),
            ("GET http://example.com?a=/b HTTP/1.1", "/"), ("OPTIONS * HTTP/1.1", nil), ("-", nil), ("", nil),
            ("GET", nil), ("hello there", nil), ("get / HTTP/1.1", nil), ("GET /two words", nil), (" / HTTP/1.1", nil),
            (#"\x16\x03\x01\x02\x00\x01\xFC"#, nil), (#"\x00\x01 \xFF /"#, nil),
        ] as [(String, String?)]
    )
    func path(_ request: String, _ path: String?) throws {
        let lines = try lines(of: "::1 - - \(Self.moment) \"\(request)\" 400 157 \"-\" \"-\"")
        #expect(lines == [.request(LoggedRequest(user: nil, path: path), lineNumber: 1)])
    }

    @Test(
        "is refused with its number and the reason, and spoils no other line",
        arguments: [
            ("", .blank), (String(repeating: "x", count: 65_537), .tooLong), ("::1 - a\u{7}da", .controlByte),
            ("\(good)\r", .controlByte), (" ", .missingHost), ("-", .missingHost), ("::1 -", .missingIdentity),
            ("::1 \(moment) \"-\" 200 5", .missingIdentity), ("::1 - \(moment) \"-\" 200 5", .missingUser),
            ("::1 - ada", .missingMoment), ("::1 - ada\(moment) \"-\" 200 5", .missingMoment),
            ("::1 - ada [10/10/2000:13:55:36 -0700] \"-\" 200 5", .missingMoment),
            ("::1 - ada \(moment)", .missingRequest),
            ("::1 - ada \(moment) \"GET / HTTP/1.1", .missingRequest), ("::1 - ada \(moment) \"-\"", .missingRequest),
            ("::1 - ada \(moment) \"-\" 2e2 5", .missingRequest), ("::1 - ada \(moment) \"-\" 200 5k", .missingRequest),
            (#"::1 - CONTOSO\q \#(moment) "-" 200 5"#, .unknownEscape),
            (#"::1 - a\x+4 \#(moment) "-" 200 5"#, .unknownEscape),
            (#"::1 - - \#(moment) "GET /\x4 HTTP/1.1" 200 5"#, .unknownEscape),
            (#"::1 - ren\xE9 \#(moment) "-" 200 5"#, .notUTF8),
            (#"::1 - - \#(moment) "GET /\xE9 HTTP/1.1" 200 5"#, .notUTF8),
        ] as [(String, MalformedLine)]
    )
    func refused(_ line: String, _ reason: MalformedLine) throws {
        let lines = try lines(of: [Self.good, line, Self.good].joined(separator: "\r\n"))
        #expect(
            lines == [
                .request(Self.ada, lineNumber: 1), .malformed(reason, lineNumber: 2), .request(Self.ada, lineNumber: 3),
            ]
        )
    }

    @Test(
        "has no user where words stand in front of its host",
        arguments: [
            "<34>1 2026-10-10T13:55:36Z web nginx 42 - - ", "Oct 10 13:55:36 web nginx[42]: ", "2026-10-10 13:55:36 ",
            "2026-10-10T13:55:36.123456789Z stdout F ", "web_1  | ", "web-1 | ", "192.0.2.1, 192.0.2.2, ", "- - ",
            "\(moment) ", "example.com:443 ",
        ],
        ["ada", "bob smith", "-", "\"\""]
    )
    func prefix(_ prefix: String, _ user: String) throws {
        let lines = try lines(of: "\(prefix)::1 - \(user) \(Self.moment) \"GET / HTTP/1.1\" 200 5")
        let reason: MalformedLine = prefix == "web_1  | " ? .missingIdentity : .extraField
        #expect(lines == [.malformed(reason, lineNumber: 1)])
    }

    @Test("ends with a line feed, or the log, and only the last one may be blank", arguments: ["\n", "\r\n"])
    func ends(_ end: String) throws {
        for (text, count) in [("", 1), (end, 1), (end + end, 1), (end + Self.good, 2), (end + end + end, 2)] {
            #expect(try lines(of: Self.good + text).count == count)
        }
    }

    @Test("is one result, whatever bytes of good lines are changed", arguments: [8, 90, 1_000] as [UInt64])
    func mutated(_ seed: UInt64) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let line = #"::1 - zo\xC3\xAB \#(Self.moment) "GET /a\x22?b HTTP/1.1" 200 5 "-" "agent""# + "\r\n"
        for _ in 0..<150 {
            var bytes = Array(String(repeating: line, count: 5).utf8)
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = .random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes[Int.random(in: bytes.indices, using: &generator)], at: index)
                }
            }
            // Counted as the format defines lines, and not the way the reader finds them.
            var expected = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            if expected.last?.isEmpty == true { expected.removeLast() }
            if expected.last == [] || expected.last == [0x0D] { expected.removeLast() }
            #expect(try lines(of: bytes).count == expected.count)
        }
    }

    @Test("of a real server's log is read, but for two that are not UTF-8 and one that has a field too many")
    func sample() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let lines = try lines(at: package.appending(path: "Samples/access.log").standardizedFileURL.path)
        var (users, malformed): (Set<String>, [Int: MalformedLine]) = ([], [:])
        for line in lines {
            switch line {
            case .request(let request, _): if let user = request.user { users.insert(user) }
            case .malformed(let reason, let number): malformed[number] = reason
            }
        }
        #expect(lines.count == 60 && malformed == [33: .notUTF8, 36: .notUTF8, 40: .extraField])
        #expect(
            users.isSuperset(of: ["bob smith", #"CONTOSO\ada"#, #"o"neil@contoso.com"#, "李雷@contoso.com", "tab\there"])
        )
    }

    @Test(
        "is not there where the log cannot be read, or has none",
        arguments: [
            ("missing/access.log", "cannot be opened: No such file"), ("/", "could not be read"),
            ("/dev/null", "is empty"),
        ]
    )
    func unreadable(_ path: String, _ problem: String) throws {
        let error = #expect(throws: AccessLogError.self) { try lines(at: path) }
        #expect(try #require(error).description.hasPrefix("the access log \"\(path)\" \(problem)"))
    }
}
