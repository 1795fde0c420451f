import Foundation
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

@Suite("multi-identity policy check") struct PolicyCheckTests {
    @Test(
        "answers with the decision, the rule and the exit status",
        arguments: [
            (["--save-to", "local"], true), (["--save-to", "service:box"], true),
            (["--save-to", "service:drop"], false), (["--save-to", "other"], false),
            (["--open-from", "device"], false),
            (["--log"], true), (["--send"], false), (["--share-with", "grace@contoso.com"], false),
            (["--save-to", "space:grace@contoso.com"], false),
        ]
    )
    func decides(_ question: [String], _ isAllowed: Bool) throws {
        let folder = try Folder()
        let policies = try folder.write(
            "policies.json",
            """
            {"version": 1, "identities": {
              "ada@contoso.com": {"saveTo": {"localStorage": true, "services": {"box": "anyAccount"}}, "log": true},
              "grace@contoso.com": {}
            }}
            """
        )
        let arguments = ["policy", "check", "--policy", policies, "--identity", "ADA@contoso.com"] + question
        let answer = try Program.run(arguments)
        #expect(answer.status == (isAllowed ? 0 : 1) && answer.errors.isEmpty)
        #expect(answer.output.hasPrefix(isAllowed ? "allowed: " : "refused: "))
    }
}

@Suite("multi-identity audit verify") struct AuditTests {
    @Test("reports a file as whole only if it contains the stored end") func verify() throws {
        let folder = try Folder()
        let path = folder.path("audit.jsonl")
        let file = try AuditFile(path)
        for number in 1...5 { file.record(AuditEvent(.refused, of: nil, because: "number \(number)")) }
        let end = "\(try AuditFile.verify(path).end)"
        #expect(try Program.run(["audit", "verify", path, "--holds", end]).status == 0)
        var lines = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self).split(separator: "\n")
        lines.removeLast()
        try folder.write("audit.jsonl", lines.joined(separator: "\n") + "\n")
        #expect(try Program.run(["audit", "verify", path]).status == 0)
        let cut = try Program.run(["audit", "verify", path, "--holds", end])
        #expect(cut.status == 1 && cut.output.contains("1 fault: event 5, which was kept, is missing"))
        #expect(try Program.run(["audit", "verify", path, "--holds", "5"]).status == 64)
        #expect(try Program.run(["audit", "verify", folder.path("none")]).status == 66)
    }
}

@Suite("multi-identity diagnose") struct DiagnoseTests {
    @Test("shows a running program's report, and writes an archive that can be read again") func shows() throws {
        let folder = try Folder()
        let (path, archive) = (folder.path("s"), folder.path("archive.json"))
        let socket = try ReportSocket(at: path) {
            let rows = [ManagementReport.Row("key", "hunter22"), .init("mode\u{1B}[2J", "multi\nuser")]
            return ManagementReport([.init("runtime", rows), .init("events", [])], Scrubber(values: ["hunter22"]))
        }
        let outcome = try withExtendedLifetime(socket) { try Program.run(["diagnose", path]) }
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "runtime:" && lines.last == "events:" && lines.count == 4)
        #expect(!outcome.output.contains("\u{1B}"), "nothing acts on the terminal")
        #expect(try Program.run(["diagnose", path, "--archive", archive]).status == 0)
        #expect(try folder.permissions(of: "archive.json") == 0o600)
        #expect(try Program.run(["diagnose", archive]).output == outcome.output)
        for text in [outcome.output, String(decoding: try folder.read("archive.json"), as: UTF8.self)] {
            #expect(!text.contains("hunter22"))
        }
        #expect(try Program.run(["diagnose", path, "--archive", archive]).status == 73, "it is there already")
        #expect(try Program.run(["diagnose", folder.write("other.json", "{}")]).status == 65)
    }
}
