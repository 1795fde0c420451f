import Foundation
import Testing

@Suite("multi-identity owner") struct OwnerTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test("tells and changes a file's owner")
    func setting() throws {
        let path = try folder.write("data", "text")
        let unknown = try Program.run(["owner", path])
        #expect(unknown.status == 1)
        #expect(unknown.output == "\(path): no owner is known\n")
        for (arguments, ownership) in [
            (["--set", "Ada@contoso.com"], "named"), (["--nobody"], "nobody"), (["--none"], "none"),
        ] {
            #expect(try Program.run(["owner", path] + arguments).status == 0)
            let shown = try Program.run(["owner", path, "--json"])
            #expect(shown.status == 0)
            #expect(try shown.entries.first?["ownership"] as? String == ownership)
            #expect(try shown.entries.first?["owner"] as? String == (ownership == "named" ? "Ada@contoso.com" : nil))
        }
        #expect(try folder.read("data") == Data("text".utf8))
    }

    @Test("lists the files of one, below a root")
    func list() throws {
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: true)
        for name in ["a", "sub/b", "c", "d"] { try folder.write(name, "text") }
        let mine = [folder.path("a"), folder.path("sub/b")]
        #expect(try Program.run(["owner", "--set", "ada@contoso.com"] + mine).status == 0)
        #expect(try Program.run(["owner", "--set", "grace@contoso.com", folder.path("c")]).status == 0)
        let listed = try Program.run(["owner", "list", "ADA@contoso.com", "--root", folder.url.path, "--json"])
        #expect(listed.status == 0)
        #expect(try listed.entries.compactMap { $0["path"] as? String } == mine)
        let environment = ["MULTI_IDENTITY_ROOT": folder.url.path]
        let unknown = try Program.run(["owner", "list", "--unknown"], environment: environment)
        #expect(unknown.output == "\(folder.path("d")): no owner is known\n")
        #expect(try Program.run(["owner", "list", "ada@contoso.com"]).status == 64, "there is no root")
    }

    @Test("keeps owners in an index, which one program at a time has open")
    func index() throws {
        let path = try folder.write("data", "text")
        let index = try Folder()
        let arguments = ["owner", path, "--root", folder.url.path, "--index", index.path("owners")]
        #expect(try Program.run(arguments + ["--set", "ada@contoso.com"]).status == 0)
        #expect(try Program.run(arguments).output == "\(path): ada@contoso.com\n")
        #expect(try Program.run(["owner", path]).status == 1, "its attributes have none")
        let inside = ["owner", path, "--root", folder.url.path, "--index", folder.path("owners"), "--json"]
        #expect(try Program.run(inside).problems == ["invalidIndex"])
    }

    @Test("says in one line what is no file below the root")
    func refusals() throws {
        let path = try folder.write("data", "text")
        let other = try Folder()
        try FileManager.default.createSymbolicLink(atPath: folder.path("soft"), withDestinationPath: path)
        mkfifo(folder.path("pipe"), 0o600)
        let cases: [([String], Int32, String)] = [
            ([folder.path("missing")], 66, "notFound"), ([folder.path("no/where")], 66, "notFound"),
            ([folder.url.path], 66, "notAFile"), ([folder.path("soft")], 66, "notAFile"),
            ([folder.path("pipe")], 66, "notAFile"), ([path + "/"], 66, "notAFile"),
            ([""], 64, "invalidPath"),
            ([path, "--root", other.url.path], 64, "outsideRoot"),
            ([path, "--root", other.path("none")], 66, "notFound"),
            ([folder.path("..")], 66, "notAFile"), ([path, "--records", "index"], 64, "missingSetting"),
            (["list", "ada@contoso.com", "--no-root"], 64, "needsRoot"),
        ]
        for (arguments, status, code) in cases {
            let outcome = try Program.run(["owner"] + arguments + ["--json"])
            #expect(outcome.status == status, "\(arguments)")
            #expect(try outcome.problems == [code], "\(arguments)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
    }

    @Test("refuses a recorded owner that is damaged")
    func damaged() throws {
        let path = try folder.write("data", "text")
        let damage = Process()
        damage.executableURL = URL(filePath: "/usr/bin/env")
        damage.arguments = [
            "python3", "-c", "import os, sys; os.setxattr(sys.argv[1], 'user.multi-identity.owner', b'\\xff\\0')", path,
        ]
        try damage.run()
        damage.waitUntilExit()
        let outcome = try Program.run(["owner", path, "--json"])
        #expect(outcome.status == 65)
        #expect(try outcome.problems.count == 1)
        #expect(try Program.run(["owner", path, "--set", "ada@contoso.com"]).status == 0, "it can be set anew")
    }
}
