import Foundation
import Testing

@Suite("multi-identity wipe") struct WipeTests {
    private let folder: Folder
    private let environment: [String: String]
    private let root: String

    init() throws {
        folder = try Folder()
        root = folder.path("data")
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let policies = #"{"version": 1, "identities": {"ada@contoso.com": {}, "grace@contoso.com": {}}}"#
        environment = folder.keys().merging([
            "MULTI_IDENTITY_POLICY": try folder.write("policies.json", policies), "MULTI_IDENTITY_ROOT": root,
            "MULTI_IDENTITY_JOURNALS": folder.path("journals"),
        ]) { $1 }
        for (name, owner) in [("a", "ada@contoso.com"), ("b", "ada@contoso.com"), ("c", "grace@contoso.com")] {
            try folder.write("data/\(name)", "text")
            #expect(try run(["protect", "\(root)/\(name)", "--as", owner]).status == 0)
        }
    }

    private func run(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(arguments, environment: environment)
    }

    private var left: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: root).sorted() } }

    @Test("removes only the leaver's data, and shows that later")
    func wholeWipe() throws {
        #expect(try run(["wipe", "ADA@contoso.com", "--dry-run"]).status == 0)
        #expect(try left == ["a", "b", "c"])
        let copy = folder.path("copy")
        try FileManager.default.copyItem(atPath: "\(root)/a", toPath: copy)
        #expect(try run(["wipe", "ada@contoso.com", "--yes"]).status == 0)
        #expect(try left == ["c"])
        let status = try run(["wipe", "status"])
        #expect(status.status == 0)
        #expect(status.output.hasPrefix("ada@contoso.com: complete, 2 files, "))
        #expect(try run(["wipe", "resume", "--json"]).entries.isEmpty, "nothing is left to go on with")
        #expect(
            try run(["unprotect", copy, "--no-root", "--json"]).problems == ["destroyedKey"],
            "what was copied away is lost"
        )
        #expect(try run(["unprotect", "\(root)/c", "--expecting", "grace@contoso.com"]).status == 0)
    }

    @Test(
        "removes nothing without --yes, without an owner, or if something would stay",
        arguments: [
            (["ada@contoso.com"], 64), (["ada@contoso.com", "--yes", "--dry-run"], 64), ([""], 64),
            (["guest@fabrikam.com", "--yes"], 64), (["adaa@contoso.com", "--yes"], 64), (["--yes"], 64),
            (["ada@contoso.com", "--yes", "--policy", "/no/such/file"], 66),
            (["ada@contoso.com", "--yes", "--root", "/no/such/folder"], 66),
            (["ada@contoso.com", "--yes", "--journals", "/no/such/folder/j"], 66),
        ] as [([String], Int32)]
    )
    func refusals(_ arguments: [String], _ status: Int32) throws {
        let outcome = try run(["wipe"] + arguments)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(!outcome.errors.isEmpty)
        #expect(try left == ["a", "b", "c"])
    }

    @Test("needs every option, or its negation")
    func settings() throws {
        for name in environment.keys where name != "MULTI_IDENTITY_MASTER_KEY" {
            let fewer = environment.filter { $0.key != name }
            let outcome = try Program.run(["wipe", "ada@contoso.com", "--yes"], environment: fewer)
            #expect(outcome.status == 64, "\(name)")
            #expect(outcome.errors.contains(name))
            #expect(try left == ["a", "b", "c"])
        }
        let outcome = try Program.run(["wipe", "ada@contoso.com"], environment: [:])
        for name in environment.keys { #expect(outcome.errors.contains(name), "all that is missing is told at once") }
        let none = environment.filter { $0.key != "MULTI_IDENTITY_POLICY" && $0.key != "MULTI_IDENTITY_KEYS" }
        let arguments = ["wipe", "ada@contoso.com", "--yes", "--unmanaged", "--no-keys"]
        #expect(try Program.run(arguments, environment: none).status == 0)
        #expect(try left == ["c"])
    }
}
