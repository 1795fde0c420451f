import Foundation
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

@Suite("multi-identity policy check") struct PolicyCheckTests {
    private let folder: Folder
    private let policies: String

    init() throws {
        folder = try Folder()
        policies = try folder.write(
            "policies.json",
            """
            {"version": 1, "identities": {
              "ada@contoso.com": {"saveTo": {"localStorage": true, "services": {"box": "anyAccount"}}, "log": true},
              "grace@contoso.com": {}
            }}
            """
        )
    }

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
        let arguments = ["policy", "check", "--policy", policies, "--identity", "ADA@contoso.com"] + question
        let text = try Program.run(arguments)
        #expect(text.status == (isAllowed ? 0 : 1) && text.errors.isEmpty)
        #expect(text.output.hasPrefix(isAllowed ? "allowed: " : "refused: "))
        let json = try Program.run(arguments + ["--json"])
        #expect(try json.entries.first?["allowed"] as? Bool == isAllowed)
        #expect(try json.entries.first?["rule"] as? String != nil)
        #expect(try json.document["exitStatus"] as? Int == (isAllowed ? 0 : 1))
    }

    @Test("lets through unmanaged accounts, and refuses work without an owner where that is closed")
    func unmanaged() throws {
        let start = ["policy", "check", "--policy", policies]
        #expect(try Program.run(start).output.contains("in order, 2 policies"))
        #expect(try Program.run(start + ["--identity", "guest@fabrikam.com", "--send"]).status == 0)
        #expect(try Program.run(start + ["--send"]).status == 0)
        #expect(try Program.run(start + ["--send", "--closed"]).status == 1)
    }

    @Test(
        "says what is wrong with a file, and where",
        arguments: ["", "{", "[]", #"{"version": 2}"#, #"{"version": 1, "identitys": {}}"#, "\u{0}"]
    )
    func broken(_ text: String) throws {
        let path = try folder.write("broken.json", text)
        let outcome = try Program.run(["policy", "check", "--policy", path, "--json"])
        #expect(try outcome.status == 65 && outcome.problems.count == 1)
        #expect(try Program.run(["policy", "check", "--policy", folder.path("none.json")]).status == 66)
    }

    @Test(
        "refuses what cannot be asked",
        arguments: [
            ["--save-to", "nowhere"], ["--log", "--send"], ["--identity", ""], ["--identity", "a\nb", "--log"],
            ["--account", "ada@contoso.com", "--log"], ["--save-to", "local", "--account", "ada@contoso.com"],
            ["--save-to", "space:"], ["--save-to", "service:"],
        ]
    )
    func usage(_ question: [String]) throws {
        let outcome = try Program.run(["policy", "check", "--policy", policies] + question)
        #expect(outcome.status == 64 && outcome.output.isEmpty && !outcome.errors.isEmpty)
    }
}

@Suite("multi-identity audit verify") struct AuditTests {
    @Test("says that a file is whole and its end, and where a line is missing or the end that was kept") func verify()
        throws
    {
        let folder = try Folder()
        let path = folder.path("audit.jsonl")
        let file = try AuditFile(path)
        for number in 1...5 { file.record(AuditEvent(.refused, of: nil, because: "number \(number)")) }
        let end = "\(try AuditFile.verify(path).end)"
        let whole = try Program.run(["audit", "verify", path, "--holds", end, "--json"])
        #expect(try whole.status == 0 && whole.entries.first?["end"] as? String == end)
        #expect(try Program.run(["audit", "verify", path]).output.contains("whole, 5 events, end \(end)"))
        var lines = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self).split(separator: "\n")
        lines.removeLast()
        try folder.write("audit.jsonl", lines.joined(separator: "\n") + "\n")
        #expect(try Program.run(["audit", "verify", path]).status == 0)
        let cut = try Program.run(["audit", "verify", path, "--holds", end])
        #expect(cut.status == 1 && cut.output.contains("1 fault: event 5, which was kept, is not there"))
        lines.remove(at: 1)
        try folder.write("audit.jsonl", lines.joined(separator: "\n") + "\n")
        let gone = try Program.run(["audit", "verify", path])
        #expect(gone.status == 1 && gone.output.contains("event 2 is missing"))
        #expect(try Program.run(["audit", "verify", path, "--holds", "5"]).status == 64)
        #expect(try Program.run(["audit", "verify", folder.path("none")]).status == 66)
    }
}

@Suite("multi-identity diagnose") struct DiagnoseTests {
    @Test("shows what a running program says, and writes it to be handed on and read again") func shows() throws {
        let folder = try Folder()
        let (path, archive) = (folder.path("s"), folder.path("archive.json"))
        let socket = try ReportSocket(at: path) {
            let rows = [ManagementReport.Row("key", "hunter22"), .init("mode\u{1B}[2J", "multi\nuser")]
            return ManagementReport([.init("runtime", rows), .init("events", [])], Scrubber(values: ["hunter22"]))
        }
        let outcome = try Program.run(["diagnose", socket.path])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "runtime:" && lines.last == "events:" && lines.count == 4)
        #expect(!outcome.output.contains("\u{1B}"), "nothing acts on the terminal")
        let json = try Program.run(["diagnose", path, "--json"])
        #expect(try json.entries.compactMap { $0["value"] as? String }.last == "multi\nuser")
        #expect(try Program.run(["diagnose", path, "--archive", archive]).status == 0)
        #expect(try folder.permissions(of: "archive.json") == 0o600)
        #expect(try Program.run(["diagnose", archive]).output == outcome.output)
        for text in [outcome.output, json.output, String(decoding: try folder.read("archive.json"), as: UTF8.self)] {
            #expect(!text.contains("hunter22"))
        }
        #expect(try Program.run(["diagnose", path, "--archive", archive]).status == 73, "it is there already")
        #expect(try Program.run(["diagnose", folder.path("none"), "--json"]).problems == ["nobodyListens"])
        #expect(try Program.run(["diagnose", folder.write("other.json", "{}")]).status == 65)
    }
}
