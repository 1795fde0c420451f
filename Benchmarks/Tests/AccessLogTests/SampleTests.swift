import AccessLog
import Foundation
import Testing

@Suite("The sample from a real server is read")
struct SampleTests {
    private func sample() throws -> [AccessLogLine] {
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        return try TemporaryLog.lines(at: package.appending(path: "Samples/access.log").standardizedFileURL.path)
    }

    @Test("Its 300 lines are 297 entries and 3 malformed lines")
    func counts() throws {
        let lines = try sample()
        #expect(lines.count == 300)
        #expect(lines.compactMap(\.entry).count == 297)
        let malformed = lines.filter { $0.entry == nil }
        #expect(malformed.map(\.lineNumber) == [88, 91, 95])
        #expect(malformed.map(\.reason) == [.decodedTextNotUTF8(.request), .decodedTextNotUTF8(.user), .extraField])
    }

    @Test("Its users have the spellings they were given")
    func users() throws {
        let names = try sample().compactMap { $0.entry?.user }
        let users = Set(names)
        #expect(users.count == 108)
        // The composed and the decomposed zoë are equal as strings, though not as bytes.
        #expect(Set(names.map { Array($0.utf8) }).count == 109)
        for name in ["bob smith", #"CONTOSO\ada"#, #"o"neil@contoso.com"#, "李雷@contoso.com", "tab\there"] {
            #expect(users.contains(name))
        }
        #expect(users.contains("linus@contoso.com") && users.contains("LINUS@CONTOSO.COM"))
    }

    @Test("Its statuses and methods are those the server logged")
    func tallies() throws {
        let entries = try sample().compactMap(\.entry)
        var statuses: [Int: Int] = [:]
        var methods: [String?: Int] = [:]
        for entry in entries {
            statuses[entry.status, default: 0] += 1
            methods[entry.method, default: 0] += 1
        }
        #expect(
            statuses == [
                200: 197, 201: 7, 204: 16, 206: 6, 400: 17, 401: 25, 403: 5, 404: 13, 405: 3, 408: 2, 414: 1, 503: 4,
                505: 1,
            ]
        )
        #expect(
            methods == [
                "GET": 185, "POST": 12, "PUT": 15, "DELETE": 7, "HEAD": 60, "OPTIONS": 3, "PRI": 1, "CONNECT": 1,
                nil: 13,
            ]
        )
        #expect(entries.allSatisfy { $0.path == nil || $0.method != nil })
    }
}
