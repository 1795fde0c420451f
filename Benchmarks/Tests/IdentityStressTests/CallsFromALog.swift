import Foundation
import MultiIdentity
import Synchronization
import Testing

@testable import IdentityStress

@Suite("Calls from an access log") struct CallsFromALog {
    private func line(_ user: String, _ path: String) -> String {
        "127.0.0.1 - \(user) [10/Oct/2000:13:55:36 -0700] \"GET \(path) HTTP/1.1\" 200 12\n"
    }

    /// The calls that a log with this text gives, up to a number, and what was reported of malformed lines.
    private func calls(
        _ text: String,
        seed: UInt64 = 1,
        limit: Int = .max,
        isRepeated: Bool = false
    ) throws -> (calls: [Call], reported: [String], malformedCount: Int) {
        let file = FileManager.default.temporaryDirectory.appending(path: "stress-\(UUID().uuidString).log")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var reported: [String] = []
        var calls: [Call] = []
        var source = try LoggedCalls(path: file.path, seed: seed, isRepeated: isRepeated) { reported.append($0) }
        while calls.count < limit, let call = try source.next(calls.count) { calls.append(call) }
        return (calls, reported, source.malformedCount)
    }

    @Test("are of the user, in the log's spelling, and - is nobody") func areOfTheUser() throws {
        let calls = try calls(line("ada@contoso.com", "/a") + line("-", "/a") + line("ADA@contoso.com", "/a")).calls
        #expect(calls.map { $0.identity?.name } == ["ada@contoso.com", "", "ADA@contoso.com"])
        #expect(calls[1].identity == .nobody)
        #expect(calls[0].identity == calls[2].identity)
    }

    @Test("have the steps of their path and the seed") func havePathsSteps() throws {
        let text = line("ada", "/a") + line("bob", "/a") + line("ada", "/b")
        let seeds = try calls(text).calls.map(\.stepSeed)
        #expect(seeds[0] == seeds[1])
        #expect(seeds[0] != seeds[2])
        #expect(try calls(text, seed: 2).calls.map(\.stepSeed)[0] != seeds[0])
        #expect(try calls(text).calls.map(\.stepSeed) == seeds)
    }

    @Test("leave malformed lines out, and invalid names are such") func leaveOutMalformedLines() throws {
        let result = try calls(line("ada", "/a") + "nonsense\n" + line("tab\\x09here", "/a") + line("bob", "/a"))
        #expect(result.calls.map { $0.identity?.name } == ["ada", "bob"])
        #expect(result.malformedCount == 2)
        #expect(result.reported.count == 2)
        #expect(result.reported[0].hasPrefix("line 2: "))
        #expect(result.reported[1].hasPrefix("line 3: controlCharacter"))
    }

    @Test("report twenty malformed lines, and say how many more there are") func capReports() throws {
        let result = try calls(String(repeating: "nonsense\n", count: 25) + line("ada", "/a"))
        #expect(result.malformedCount == 25)
        #expect(result.reported.count == 21)
        #expect(result.reported.last == "\u{2026} and 5 more malformed lines")
    }

    @Test("begin again at the end, and malformed lines count once") func beginAgain() throws {
        let result = try calls(line("ada", "/a") + "nonsense\n" + line("bob", "/b"), limit: 7, isRepeated: true)
        #expect(result.calls.map { $0.identity?.name } == ["ada", "bob", "ada", "bob", "ada", "bob", "ada"])
        #expect(result.malformedCount == 1)
    }

    @Test("are an error where there are none", arguments: ["", "nonsense\nmore\n"]) func failWithoutAny(_ text: String)
    {
        #expect(throws: (any Error).self) { try calls(text) }
        #expect(throws: (any Error).self) { try calls(text, isRepeated: true) }
    }
}
