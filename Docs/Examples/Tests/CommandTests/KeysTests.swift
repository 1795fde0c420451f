import Foundation
import Testing

@Suite("multi-identity keys") struct KeysTests {
    private let folder: Folder
    private let environment: [String: String]

    init() throws {
        folder = try Folder()
        environment = folder.keys()
    }

    private func run(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(arguments, environment: environment)
    }

    @Test("lists ids, and rotates keys") func rotation() throws {
        #expect(try run("keys", "list").status == 66, "there is no file yet")
        let path = try folder.write("data", "text")
        #expect(try run("protect", path, "--as", "ada@contoso.com").status == 0)
        let first = try run("keys", "list", "--json").entries
        #expect(first.compactMap { $0["state"] as? String } == ["current"])
        #expect(try run("info", path, "--json").entries.first?["key"] as? String == first.first?["key"] as? String)
        #expect(try run("keys", "rotate", "Ada@contoso.com").status == 0)
        let both = try run("keys", "list", "ada@contoso.com", "--json").entries
        #expect(both.compactMap { $0["state"] as? String } == ["former", "current"])
        #expect(try run("keys", "list", "grace@contoso.com").status == 1)
        #expect(try run("unprotect", path, "--expecting", "ada@contoso.com").status == 0, "old keys read")
    }

    @Test("wraps all under a new master key, again and again") func master() throws {
        let path = try folder.write("data", "text")
        #expect(try run("protect", path, "--as", "ada@contoso.com").status == 0)
        let new = try folder.write("master", folder.keys()["MULTI_IDENTITY_MASTER_KEY"] ?? "")
        let rotation = ["keys", "rotate-master", "--new-master-key-file", new, "--json"]
        try folder.setPermissions(0o644, of: "master")
        #expect(try Program.run(rotation, environment: environment).problems == ["unsafeFile"], "others can read it")
        try folder.setPermissions(0o600, of: "master")
        for _ in 1...2 { #expect(try Program.run(rotation, environment: environment).status == 0) }
        let old = try run("unprotect", path, "--json")
        #expect(try old.status == 77 && old.problems == ["wrongMasterKey"])
        let file = ["MULTI_IDENTITY_KEYS": folder.path("keys"), "MULTI_IDENTITY_MASTER_KEY_FILE": new]
        #expect(try Program.run(["unprotect", path], environment: file).status == 0)
    }

    @Test("says which keys are missing, and refuses those that others can read") func refusals() throws {
        let path = try folder.write("data", "text")
        let without = try Program.run(["protect", path, "--as", "ada@contoso.com", "--json"])
        #expect(without.status == 78 && without.errors.contains("--keys"))
        #expect(try run("protect", path, "--as", "ada@contoso.com").status == 0)
        try folder.setPermissions(0o644, of: "keys")
        let open = try run("unprotect", path, "--json")
        #expect(try open.status == 78 && open.problems == ["unsafeFile"])
        try folder.setPermissions(0o600, of: "keys")
        #expect(try run("protect", folder.path("keys"), "--as", "ada@contoso.com", "--json").problems == ["isKeyFile"])
    }
}
