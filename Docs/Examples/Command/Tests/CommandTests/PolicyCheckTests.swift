import Foundation
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
            (["--save-to", "service:drop"], false),
            (["--save-to", "other"], false), (["--open-from", "device"], false), (["--log"], true), (["--send"], false),
            (["--share-with", "grace@contoso.com"], false), (["--save-to", "space:grace@contoso.com"], false),
        ]
    )
    func decides(_ question: [String], _ isAllowed: Bool) throws {
        let arguments = ["policy", "check", "--policy", policies, "--identity", "ADA@contoso.com"] + question
        let text = try Program.run(arguments)
        #expect(text.status == (isAllowed ? 0 : 1))
        #expect(text.output.hasPrefix(isAllowed ? "allowed: " : "refused: "))
        #expect(text.errors.isEmpty)
        let json = try Program.run(arguments + ["--json"])
        #expect(json.status == text.status)
        #expect(try json.entries.first?["allowed"] as? Bool == isAllowed)
        #expect(try json.entries.first?["rule"] as? String != nil)
        #expect(try json.entries.first?["reason"] as? String != nil)
        #expect(try json.document["exitStatus"] as? Int == (isAllowed ? 0 : 1))
    }

    @Test("lets through unmanaged accounts, and refuses work without an owner where that is closed")
    func unmanaged() throws {
        let start = ["policy", "check", "--policy", policies]
        #expect(try Program.run(start + ["--identity", "guest@fabrikam.com", "--send"]).status == 0)
        #expect(try Program.run(start + ["--send"]).status == 0)
        #expect(try Program.run(start + ["--send", "--closed"]).status == 1)
    }

    @Test("without a question says whether the file is in order")
    func inOrder() throws {
        let outcome = try Program.run(["policy", "check", "--policy", policies])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("in order, 2 policies"))
    }

    @Test(
        "tells what is wrong with a file, and where",
        arguments: ["", "{", "[]", #"{"version": 2}"#, #"{"version": 1, "identitys": {}}"#, "\u{0}"]
    )
    func broken(_ text: String) throws {
        let path = try folder.write("broken.json", text)
        let outcome = try Program.run(["policy", "check", "--policy", path, "--json"])
        #expect(outcome.status == 65)
        #expect(try outcome.problems.count == 1)
        #expect(outcome.errors.contains("broken.json") || outcome.errors.contains("policy check"))
    }

    @Test("tells that a file is missing, or is a folder")
    func missing() throws {
        #expect(try Program.run(["policy", "check", "--policy", folder.path("none.json")]).status == 66)
        #expect(try Program.run(["policy", "check", "--policy", folder.url.path]).status == 66)
    }

    @Test(
        "refuses what cannot be asked",
        arguments: [
            ["--save-to", "nowhere"], ["--log", "--send"], ["--identity", ""], ["--identity", "a\nb", "--log"],
            ["--account", "ada@contoso.com", "--log"], ["--save-to", "local", "--account", "ada@contoso.com"],
            ["--save-to", "local", "--foreign-account", "ada"], ["--save-to", "space:"], ["--save-to", "service:"],
        ]
    )
    func usage(_ question: [String]) throws {
        let outcome = try Program.run(["policy", "check", "--policy", policies] + question)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(!outcome.errors.isEmpty)
    }
}
