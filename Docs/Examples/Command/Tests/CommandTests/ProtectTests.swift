import Foundation
import Testing

@Suite("multi-identity protect and unprotect") struct ProtectTests {
    private let folder: Folder
    private let keys: Keys

    init() throws {
        folder = try Folder()
        keys = Keys(in: folder)
    }

    private func run(_ arguments: [String], input: Data? = nil) throws -> Program.Outcome {
        try Program.run(arguments, environment: keys.environment, input: input)
    }

    @Test("give a file back as it was, whatever its size", arguments: [0, 1, 65_535, 65_536, 3 << 20 + 7])
    func roundTrip(_ size: Int) throws {
        let original = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        try original.write(to: folder.url.appending(path: "data"))
        let path = folder.path("data")
        #expect(try run(["protect", path, "--as", "ada@contoso.com"]).status == 0)
        #expect(try folder.read("data") != original)
        let info = try run(["info", path, "--json"])
        #expect(try info.entries.first?["form"] as? String == "encrypted")
        #expect(try info.entries.first?["identity"] as? String == "ada@contoso.com")
        #expect(try run(["owner", path]).output == "\(path): ada@contoso.com\n")
        #expect(try run(["unprotect", path, "--expecting", "ADA@contoso.com"]).status == 0)
        #expect(try folder.read("data") == original)
        #expect(try run(["info", path]).status == 1)
        #expect(try run(["owner", path]).output == "\(path): ada@contoso.com\n", "its owner stays")
    }

    @Test("go from the standard input to the standard output")
    func streams() throws {
        let original = Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let protected = try run(["protect", "-", "--as", "ada@contoso.com"], input: original)
        #expect(protected.status == 0)
        #expect(protected.data.count > original.count)
        #expect(protected.errors.isEmpty)
        let back = try run(["unprotect", "-", "--expecting", "ada@contoso.com"], input: protected.data)
        #expect(back.status == 0)
        #expect(back.data == original)
        let cut = try run(["unprotect", "-"], input: protected.data.dropLast(1))
        #expect(cut.status == 65)
        let info = try run(["info", "-"], input: protected.data)
        #expect(info.output.hasPrefix("(standard input): encrypted for ada@contoso.com, key "))
    }

    @Test("handle names with odd characters, and show them without their effect")
    func oddNames() throws {
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

    @Test("write elsewhere only where nothing is, unless forced to")
    func output() throws {
        let (source, target) = (try folder.write("in", "text"), folder.path("out"))
        try folder.write("out", "old")
        let refused = try run(["protect", source, "-o", target, "--as", "ada@contoso.com", "--json"])
        #expect(refused.status == 73)
        #expect(try refused.problems == ["alreadyExists"])
        #expect(try folder.read("out") == Data("old".utf8))
        #expect(try run(["protect", source, "-o", target, "--as", "ada@contoso.com", "--force"]).status == 0)
        #expect(try folder.read("in") == Data("text".utf8))
        #expect(try run(["unprotect", target, "-o", folder.path("back")]).status == 0)
        #expect(try folder.read("back") == Data("text".utf8))
        #expect(try run(["owner", folder.path("back")]).output.hasSuffix(": ada@contoso.com\n"))
    }

    @Test("refuse what is another's, forged, altered or foreign, and leave it as it is")
    func refusals() throws {
        let path = try folder.write("data", "text")
        #expect(try run(["unprotect", path, "--expecting", "ada@contoso.com", "--json"]).problems == ["notProtected"])
        #expect(try run(["protect", path, "--as", "ada@contoso.com"]).status == 0)
        let sealed = try folder.read("data")
        #expect(try run(["protect", path, "--as", "grace@contoso.com", "--json"]).problems == ["otherOwner"])
        #expect(try run(["unprotect", path, "--expecting", "grace@contoso.com", "--json"]).problems == ["otherOwner"])
        let other = Keys(in: folder, named: "other")
        let unknown = try Program.run(["unprotect", path, "--json"], environment: other.environment)
        #expect(unknown.status == 77)
        #expect(try unknown.problems == ["unknownKey"])
        #expect(try folder.read("data") == sealed)
        var altered = sealed
        altered[altered.count - 20] ^= 1
        try altered.write(to: folder.url.appending(path: "data"))
        #expect(try run(["unprotect", path, "--json"]).problems == ["tampered"])
        #expect(try folder.read("data") == altered)
    }

    @Test("keep what is protected already, and go on after a file that fails")
    func several() throws {
        let paths = try ["a", "b"].map { try folder.write($0, $0) }
        #expect(try run(["protect", paths[0], "--as", "ada@contoso.com"]).status == 0)
        let sealed = try folder.read("a")
        let missing = folder.path("missing")
        let outcome = try run([
            "protect", paths[0], missing, folder.url.path, paths[1], "--as", "ada@contoso.com", "--json",
        ])
        #expect(outcome.status == 66)
        #expect(try outcome.entries.compactMap { $0["action"] as? String } == ["protected already", "protected"])
        #expect(try outcome.problems == ["notFound", "notAFile"])
        #expect(try folder.read("a") == sealed)
        #expect(outcome.errors.split(separator: "\n").count == 2, "one line for each")
    }

    @Test("encrypt for whom the policies manage, and only name whom they do not")
    func policies() throws {
        let policies = try folder.write("policies.json", #"{"version": 1, "identities": {"ada@contoso.com": {}}}"#)
        let path = try folder.write("data", "text")
        let claimed = try run(["protect", path, "--as", "guest@fabrikam.com", "--policy", policies, "--json"])
        #expect(try claimed.entries.first?["form"] as? String == "claimed")
        #expect(try folder.read("data").suffix(4) == Data("text".utf8))
        #expect(try run(["info", path]).output.contains("claimed by guest@fabrikam.com"))
        // Who is managed is not known here, so the claim proves nothing.
        #expect(try run(["unprotect", path, "--json"]).problems == ["claimsManagedIdentity"])
        #expect(try run(["unprotect", path, "--policy", policies]).status == 0)
        #expect(try folder.read("data") == Data("text".utf8))
    }

    @Test("refuse links: another name would keep the plain data, or it is somebody else's file")
    func links() throws {
        let path = try folder.write("data", "text")
        try FileManager.default.linkItem(atPath: path, toPath: folder.path("hard"))
        #expect(try run(["protect", path, "--as", "ada@contoso.com", "--json"]).problems == ["severalNames"])
        try FileManager.default.removeItem(atPath: folder.path("hard"))
        try FileManager.default.createSymbolicLink(atPath: folder.path("soft"), withDestinationPath: path)
        #expect(try run(["protect", folder.path("soft"), "--as", "ada@contoso.com"]).status != 0)
        #expect(try folder.read("data") == Data("text".utf8))
    }

    @Test("say which keys are missing, and refuse those that others can read")
    func badKeys() throws {
        let path = try folder.write("data", "text")
        let without = try Program.run(["protect", path, "--as", "ada@contoso.com", "--json"])
        #expect(without.status == 78)
        #expect(without.errors.contains("--keys"))
        #expect(try run(["protect", path, "--as", "ada@contoso.com"]).status == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path("keys"))
        let open = try run(["unprotect", path, "--json"])
        #expect(open.status == 78)
        #expect(try open.problems == ["unsafeFile"])
        let both = keys.environment.merging(["MULTI_IDENTITY_MASTER_KEY_FILE": "x"]) { $1 }
        #expect(try Program.run(["unprotect", path, "--json"], environment: both).status == 78)
    }

    @Test(
        "refuse arguments that cannot be meant",
        arguments: [
            [], ["-"], ["a", "b", "-o", "c", "--as", "x"], ["a", "-", "--as", "x"], ["-", "--as", "x", "--json"],
            ["a", "--as", ""], ["a", "--as", "a\u{7}"], ["a", "--as"],
        ]
    )
    func usage(_ arguments: [String]) throws { #expect(try run(["protect"] + arguments).status == 64) }

    @Test("keep a file's permissions in its place, and make others for the user alone")
    func permissions() throws {
        let path = try folder.write("data", "text")
        for command in [["protect", path, "--as", "ada@contoso.com"], ["unprotect", path]] {
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            #expect(try run(command).status == 0)
            #expect(try permissions(of: "data") == 0o640)
        }
        #expect(try run(["protect", path, "--as", "ada@contoso.com", "-o", folder.path("out")]).status == 0)
        #expect(try permissions(of: "out") == 0o600)
    }

    private func permissions(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
    }

    @Test("read a header that comes byte by byte")
    func dripping() throws {
        let protected = try run(["protect", "-", "--as", "ada@contoso.com"], input: Data("text".utf8)).data
        let slow = Pipe()
        let outcome = try Program.run(["unprotect", "-"], environment: keys.environment, connected: slow) { _ in
            for byte in protected { slow.fileHandleForWriting.write(Data([byte])) }
            try? slow.fileHandleForWriting.close()
        }
        #expect(outcome.status == 0)
        #expect(outcome.data == Data("text".utf8))
    }

    @Test("never encrypt the files that keys are in")
    func keyFiles() throws {
        let path = try folder.write("data", "text")
        #expect(try run(["protect", path, "--as", "ada@contoso.com"]).status == 0)
        let kept = try folder.read("keys")
        #expect(
            try run(["protect", folder.path("keys"), "--as", "ada@contoso.com", "--json"]).problems == ["isKeyFile"]
        )
        #expect(try folder.read("keys") == kept)
    }
}
