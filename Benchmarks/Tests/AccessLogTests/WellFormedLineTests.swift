import AccessLog
import Testing

@Suite("A well-formed line becomes an entry")
struct WellFormedLineTests {
    private func entry(_ line: String) throws -> AccessLogEntry {
        let lines = try TemporaryLog.lines(of: line)
        try #require(lines.count == 1)
        return try #require(lines[0].entry, "\(lines[0])")
    }

    private func user(_ field: String) throws -> String? {
        try entry("127.0.0.1 - \(field) [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 5").user
    }

    private func request(_ field: String) throws -> [String?] {
        let entry = try entry("127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"\(field)\" 400 157 \"-\" \"-\"")
        return [entry.method, entry.path]
    }

    @Test("Common Log Format is read")
    func common() throws {
        let line = #"127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326"#
        #expect(
            try entry(line)
                == AccessLogEntry(
                    lineNumber: 1,
                    user: "frank",
                    method: "GET",
                    path: "/apache_pb.gif",
                    status: 200,
                    bytes: 2326
                )
        )
    }

    @Test(
        "Combined Log Format is read, whatever its referer and agent hold",
        arguments: [
            #""http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)""#, #""-" "-""#, #""" """#,
            #""-" "a \"quoted\" agent""#, #""-" "a \x22quoted\x22 agent""#, #""-" "an "unescaped" agent""#,
            #""an "unescaped" referer" "-""#, #""-" "ends in a backslash \\""#, #""-" "-" "192.0.2.1""#,
            #""-" "-" 0.003 upstream"#, #""-" "\xff\q""#, #""-" "café""#,
        ]
    )
    func combined(tail: String) throws {
        let line = #"127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 304 - "# + tail
        #expect(
            try entry(line)
                == AccessLogEntry(lineNumber: 1, user: "frank", method: "GET", path: "/", status: 304, bytes: nil)
        )
    }

    @Test(
        "The host may be an IPv6 address or a name",
        arguments: ["::1", "2001:db8::7%eth0", "[::1]", "client.example"]
    )
    func host(host: String) throws {
        #expect(try entry("\(host) - ada [10/Oct/2000:13:55:36 +0000] \"GET / HTTP/1.1\" 200 5").user == "ada")
    }

    @Test("The second field may name an identity")
    func identity() throws {
        #expect(try entry("::1 ident ada [10/Oct/2000:13:55:36 +0000] \"GET / HTTP/1.1\" 200 5").user == "ada")
    }

    @Test("A hyphen and Apache's empty name are nobody", arguments: ["-", #""""#])
    func nobody(field: String) throws {
        #expect(try user(field) == nil)
    }

    @Test(
        "A user is kept as written, with escapes decoded",
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
            (#"\t\n\r\v\f\b"#, "\t\n\r\u{B}\u{C}\u{8}"), (#"a\x00b"#, "a\0b"),
        ]
    )
    func users(field: String, expected: String) throws {
        let found = try user(field)
        // Bytes are compared, because two spellings of ë are equal as strings.
        #expect(found.map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test(
        "A request gives its method and the path without the query",
        arguments: [
            ("GET /mail/inbox HTTP/1.1", "GET", "/mail/inbox"), ("POST / HTTP/2.0", "POST", "/"),
            ("GET / HTTP/3", "GET", "/"), ("GET /api/v1/search?q=a%20b&c=? HTTP/1.1", "GET", "/api/v1/search"),
            ("GET /a#b HTTP/1.1", "GET", "/a"), ("GET /a%20b HTTP/1.1", "GET", "/a%20b"),
            ("VERSION-CONTROL /a HTTP/1.1", "VERSION-CONTROL", "/a"), ("GET /unfinished", "GET", "/unfinished"),
            ("GET /two words HTTP/1.1", "GET", "/two words"), (#"GET /a\x22b HTTP/1.1"#, "GET", #"/a"b"#),
            (#"GET /a\"b HTTP/1.1"#, "GET", #"/a"b"#), (#"GET /a"b HTTP/1.1"#, "GET", #"/a"b"#),
            (#"GET /a" b HTTP/1.1"#, "GET", #"/a" b"#), (#"GET /a\\b HTTP/1.1"#, "GET", #"/a\b"#),
            (#"GET /caf\xC3\xA9 HTTP/1.1"#, "GET", "/café"), ("GET /café HTTP/1.1", "GET", "/café"),
            ("GET http://example.com/a?b HTTP/1.1", "GET", "/a"), ("GET http://example.com HTTP/1.1", "GET", "/"),
            ("GET http://example.com?a=/b HTTP/1.1", "GET", "/"),
        ]
    )
    func requests(field: String, method: String, path: String) throws {
        #expect(try request(field) == [method, path])
    }

    @Test(
        "A request without a path has a method only",
        arguments: [
            "OPTIONS * HTTP/1.1", "CONNECT mail.contoso.com:443 HTTP/1.1", "GET relative HTTP/1.1", "PRI * HTTP/2.0",
        ]
    )
    func withoutPath(field: String) throws {
        #expect(try request(field) == [String(field.prefix { $0 != " " }), nil])
    }

    @Test(
        "What is no request has neither method nor path",
        arguments: [
            "-", "", " ", "GET", "hello there", "SSH-2.0-OpenSSH_9.6", "get / HTTP/1.1", "GET /two words",
            "GET relative",
            " / HTTP/1.1", "- / HTTP/1.1", "GET / HTTP/", "GET /a b HTTP/x", #"\x16\x03\x01\x02\x00\x01\xFC"#,
            #"\x00\x01 \xFF /"#, #"\x03\x00\x00/*\xE0\x00\x00Cookie: mstshash=x"#,
            "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ / HTTP/1.1",
        ]
    )
    func garbage(field: String) throws {
        #expect(try request(field) == [nil, nil])
    }

    @Test("Every status from 100 to 599 is read", arguments: [100, 200, 304, 401, 408, 444, 499, 599])
    func status(status: Int) throws {
        #expect(try entry("::1 - - [10/Oct/2000:13:55:36 +0000] \"-\" \(status) 0").status == status)
    }

    @Test("The greatest size fits")
    func size() throws {
        #expect(try entry("::1 - - [10/Oct/2000:13:55:36 +0000] \"-\" 200 \(Int.max)").bytes == Int.max)
    }
}
