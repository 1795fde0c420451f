import Foundation
import Testing

@Suite("multi-identity protect, unprotect and keys") struct ProtectTests {
    private let folder: Folder
    private let environment: [String: String]

    init() throws {
        folder = try Folder()
        environment = folder.keys()
    }

    private func run(_ arguments: [String], input: Data? = nil) throws -> Program.Outcome {
        try Program.run(arguments, environment: environment, input: input)
    }

    @Test("give a file back as it was, with its owner and its permissions", arguments: [0, 3 << 20 + 7])
    func roundTrip(_ size: Int) throws {
        let original = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        try original.write(to: folder.url.appending(path: "data"))
        try folder.setPermissions(0o640, of: "data")
        let path = folder.path("data")
        #expect(try run(["protect", path, "--as", "ada@contoso.com"]).status == 0)
        #expect(try folder.read("data") != original)
        #expect(try run(["unprotect", path, "--expecting", "ADA@contoso.com"]).status == 0)
        #expect(try folder.read("data") == original)
        #expect(try folder.permissions(of: "data") == 0o640)
        #expect(try run(["info", path]).status == 1)
        #expect(try run(["owner", path]).output == "\(path): ada@contoso.com\n", "its owner stays")
    }

    @Test("go from the standard input to the standard output") func streams() throws {
        let original = Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let protected = try run(["protect", "-", "--as", "ada@contoso.com"], input: original)
        #expect(protected.status == 0 && protected.errors.isEmpty && protected.data.count > original.count)
        let back = try run(["unprotect", "-", "--expecting", "ada@contoso.com"], input: protected.data)
        #expect(back.status == 0 && back.data == original)
        #expect(try run(["unprotect", "-"], input: protected.data.dropLast(1)).status == 65)
        #expect(try run(["protect", "-", "--as", "ada@contoso.com"], input: protected.data).status == 65)
    }

    @Test("handle names with odd characters, and show them without their effect") func oddNames() throws {
        for name in ["a b", "-dash", "ü\u{301}", "new\nline", "\u{1B}[31mred", "'\"$(x)`", "\u{202E}txt"] {
            try folder.write(name, "text")
            let outcome = try run(["protect", folder.path(name), "--as", "ada@contoso.com"])
            #expect(outcome.status == 0, "\(name.debugDescription)")
            #expect(outcome.output.split(separator: "\n").count == 1)
            #expect(!outcome.output.contains("\u{1B}") && !outcome.output.contains("\u{202E}"))
            let json = try run(["info", folder.path(name), "--json"])
            #expect(try json.entries.first?["path"] as? String == folder.path(name))
        }
    }

    @Test("refuse data that are another's, altered or foreign, and leave them unchanged") func refusals() throws {
        let path = try folder.write("data", "text")
        #expect(try run(["unprotect", path, "--expecting", "ada@contoso.com", "--json"]).problems == ["notEncrypted"])
        #expect(try run(["protect", path, "--as", "ada@contoso.com"]).status == 0)
        let sealed = try folder.read("data")
        #expect(try run(["protect", path, "--as", "grace@contoso.com", "--json"]).problems == ["otherOwner"])
        #expect(try run(["unprotect", path, "--expecting", "grace@contoso.com", "--json"]).problems == ["otherOwner"])
        let unknown = try Program.run(["unprotect", path, "--json"], environment: folder.keys(named: "other"))
        #expect(try unknown.status == 77 && unknown.problems == ["unknownKey"])
        #expect(try folder.read("data") == sealed)
        var altered = sealed
        altered[altered.count - 20] ^= 1
        try altered.write(to: folder.url.appending(path: "data"))
        #expect(try run(["unprotect", path, "--json"]).problems == ["tampered"])
        #expect(try folder.read("data") == altered)
    }

    @Test("keep protected files, and continue after a file that fails") func several() throws {
        let paths = try ["a", "b"].map { try folder.write($0, $0) }
        #expect(try run(["protect", paths[0], "--as", "ada@contoso.com"]).status == 0)
        let sealed = try folder.read("a")
        let files = [paths[0], folder.path("missing"), folder.url.path, paths[1]]
        let outcome = try run(["protect"] + files + ["--as", "ada@contoso.com", "--json"])
        #expect(outcome.status == 66)
        #expect(try outcome.entries.compactMap { $0["action"] as? String } == ["protected already", "protected"])
        #expect(try outcome.problems == ["notFound", "notAFile"])
        #expect(try folder.read("a") == sealed)
        #expect(outcome.errors.split(separator: "\n").count == 2, "one line for each")
    }

    @Test("encrypt for managed identities, and only name the others") func policies() throws {
        let policies = try folder.write("policies.json", #"{"version": 1, "identities": {"ada@contoso.com": {}}}"#)
        let path = try folder.write("data", "text")
        let claimed = try run(["protect", path, "--as", "guest@fabrikam.com", "--policy", policies, "--json"])
        #expect(try claimed.entries.first?["form"] as? String == "claimed")
        #expect(try folder.read("data").suffix(4) == Data("text".utf8))
        #expect(try run(["info", path]).output.contains("claimed by guest@fabrikam.com"))
        // Without the policies, it is not known who is managed, so the claim proves nothing.
        #expect(try run(["unprotect", path, "--json"]).problems == ["claimsManagedIdentity"])
        #expect(try run(["unprotect", path, "--policy", policies]).status == 0)
        #expect(try folder.read("data") == Data("text".utf8))
    }

    @Test("wrap all keys under a new master key, again and again") func master() throws {
        let path = try folder.write("data", "text")
        #expect(try run(["protect", path, "--as", "ada@contoso.com"]).status == 0)
        let new = try folder.write("master", folder.keys()["MULTI_IDENTITY_MASTER_KEY"] ?? "")
        let rotation = ["keys", "rotate-master", "--new-master-key-file", new, "--json"]
        try folder.setPermissions(0o644, of: "master")
        #expect(try Program.run(rotation, environment: environment).problems == ["unsafeFile"], "others can read it")
        try folder.setPermissions(0o600, of: "master")
        for _ in 1...2 { #expect(try Program.run(rotation, environment: environment).status == 0) }
        let old = try run(["unprotect", path, "--json"])
        #expect(try old.status == 77 && old.problems == ["wrongMasterKey"])
        let file = ["MULTI_IDENTITY_KEYS": folder.path("keys"), "MULTI_IDENTITY_MASTER_KEY_FILE": new]
        #expect(try Program.run(["unprotect", path], environment: file).status == 0)
    }

    @Test("name missing keys, and refuse those that others can read") func keys() throws {
        let path = try folder.write("data", "text")
        let without = try Program.run(["protect", path, "--as", "ada@contoso.com", "--json"])
        #expect(without.status == 78 && without.errors.contains("--keys"))
        #expect(try run(["protect", path, "--as", "ada@contoso.com"]).status == 0)
        try folder.setPermissions(0o644, of: "keys")
        let open = try run(["unprotect", path, "--json"])
        #expect(try open.status == 78 && open.problems == ["unsafeFile"])
        try folder.setPermissions(0o600, of: "keys")
        let itself = try run(["protect", folder.path("keys"), "--as", "ada@contoso.com", "--json"])
        #expect(try itself.problems == ["isKeyFile"])
    }
}
