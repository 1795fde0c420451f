import Foundation
import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

@Suite("multi-identity audit verify") struct AuditTests {
    private let folder: Folder
    private let path: String

    init() throws {
        folder = try Folder()
        path = folder.path("audit.jsonl")
        let file = try AuditFile(path)
        for number in 1...5 { file.record(AuditEvent(.refused, of: nil, because: "number \(number)")) }
    }

    private var end: String { get throws { "\(try AuditFile.verify(path).end)" } }

    @Test("says that a file is whole, and its end") func whole() throws {
        for kept in [[], ["--holds", try end]] {
            let outcome = try Program.run(["audit", "verify", path] + kept)
            #expect(outcome.status == 0 && outcome.errors.isEmpty)
            #expect(outcome.output.contains("whole, 5 events, end \(try end)"))
            let json = try Program.run(["audit", "verify", path, "--json"] + kept)
            #expect(try json.entries.first?["end"] as? String == end)
        }
    }

    @Test("ends with 1 where a line is missing, or the end that was kept is") func missing() throws {
        let kept = try end
        var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        lines.removeLast()
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try Program.run(["audit", "verify", path]).status == 0)
        let cut = try Program.run(["audit", "verify", path, "--holds", kept])
        #expect(cut.status == 1 && cut.output.contains("1 fault: event 5, which was kept, is not there"))
        lines.remove(at: 1)
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        let gone = try Program.run(["audit", "verify", path])
        #expect(gone.status == 1 && gone.output.contains("event 2 is missing"))
    }

    @Test("refuses what is no end, and a file that is not there") func refused() throws {
        #expect(try Program.run(["audit", "verify", path, "--holds", "5"]).status == 64)
        #expect(try Program.run(["audit", "verify", path, path, "--holds", try end]).status == 64)
        #expect(try Program.run(["audit", "verify", folder.path("none")]).status == 66)
    }
}
