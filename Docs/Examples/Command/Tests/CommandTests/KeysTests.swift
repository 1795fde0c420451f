import Foundation
import Testing

@Suite("multi-identity keys") struct KeysTests {
    private let folder: Folder
    private let keys: Keys

    init() throws {
        folder = try Folder()
        keys = Keys(in: folder)
    }

    private func run(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(arguments, environment: keys.environment)
    }

    @Test("lists ids, and rotates keys")
    func rotation() throws {
        #expect(try run(["keys", "list"]).status == 66, "there is no file yet")
        let path = try folder.write("data", "text")
        #expect(try run(["protect", path, "--as", "ada@contoso.com"]).status == 0)
        let first = try run(["keys", "list", "--json"]).entries
        #expect(first.compactMap { $0["state"] as? String } == ["current"])
        #expect(try run(["info", path, "--json"]).entries.first?["key"] as? String == first.first?["key"] as? String)
        #expect(try run(["keys", "rotate", "Ada@contoso.com"]).status == 0)
        let both = try run(["keys", "list", "ada@contoso.com", "--json"]).entries
        #expect(both.compactMap { $0["state"] as? String } == ["former", "current"])
        #expect(try run(["keys", "list", "grace@contoso.com"]).status == 1)
        #expect(try run(["unprotect", path, "--expecting", "ada@contoso.com"]).status == 0, "old keys read")
    }

    @Test("wraps all under a new master key, again and again")
    func master() throws {
        let path = try folder.write("data", "text")
        #expect(try run(["protect", path, "--as", "ada@contoso.com"]).status == 0)
        let new = try folder.write("master", Keys(in: folder).environment["MULTI_IDENTITY_MASTER_KEY"] ?? "")
        let rotation = ["keys", "rotate-master", "--new-master-key-file", new]
        #expect(try run(rotation + ["--json"]).problems == ["unsafeFile"], "others can read it")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: new)
        for _ in 1...2 { #expect(try run(rotation).status == 0) }
        let old = try run(["unprotect", path, "--json"])
        #expect(old.status == 77)
        #expect(try old.problems == ["wrongMasterKey"])
        var environment = keys.environment
        environment["MULTI_IDENTITY_MASTER_KEY"] = nil
        environment["MULTI_IDENTITY_MASTER_KEY_FILE"] = new
        #expect(try Program.run(["unprotect", path], environment: environment).status == 0)
    }
}
