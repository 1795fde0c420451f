import Foundation
import Testing

@Suite("multi-identity owner") struct OwnerTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test("shows and changes a file's owner") func setting() throws {
        let path = try folder.write("data", "text")
        let unknown = try Program.run(["owner", "list", "--unknown", "--root", folder.url.path])
        #expect(unknown.output == "\(path): no owner is known\n")
        for (arguments, ownership) in [
            (["--set", "Ada@contoso.com"], "named"), (["--nobody"], "nobody"), (["--none"], "none"),
        ] {
            #expect(try Program.run(["owner", path] + arguments).status == 0)
            let shown = try Program.run(["owner", path, "--json"])
            #expect(try shown.entries.first?["ownership"] as? String == ownership)
            #expect(try shown.entries.first?["owner"] as? String == (ownership == "named" ? "Ada@contoso.com" : nil))
        }
    }

    @Test("keeps owners in an index") func index() throws {
        let path = try folder.write("data", "text")
        let index = try Folder()
        let arguments = ["owner", path, "--root", folder.url.path, "--index", index.path("owners")]
        #expect(try Program.run(arguments + ["--set", "ada@contoso.com"]).status == 0)
        #expect(try Program.run(arguments).output == "\(path): ada@contoso.com\n")
        #expect(try Program.run(["owner", path]).status == 1, "its attributes have none")
    }

    @Test("reports in one line a path that is not a file below the root") func refusals() throws {
        let path = try folder.write("data", "text")
        let other = try Folder()
        try FileManager.default.createSymbolicLink(atPath: folder.path("soft"), withDestinationPath: path)
        mkfifo(folder.path("pipe"), 0o600)
        let cases: [([String], Int32, String)] = [
            ([folder.path("missing")], 66, "notFound"), ([folder.path("no/where")], 66, "notFound"),
            ([folder.url.path], 66, "notAFile"), ([folder.path("soft")], 66, "notAFile"),
            ([folder.path("pipe")], 66, "notAFile"), ([path + "/"], 66, "notAFile"), ([""], 64, "invalidPath"),
            ([path, "--root", other.url.path], 64, "outsideRoot"), ([folder.path("..")], 66, "notAFile"),
            ([path, "--root", other.path("none")], 66, "notFound"),
            (["list", "ada@contoso.com", "--no-root"], 64, "needsRoot"),
            (["list", "ada@contoso.com"], 64, "missingSetting"),
        ]
        for (arguments, status, code) in cases {
            let outcome = try Program.run(["owner"] + arguments + ["--json"])
            #expect(outcome.status == status, "\(arguments)")
            #expect(try outcome.problems == [code], "\(arguments)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
    }

    @Test("touches nothing outside the root, whether an option names it or a variable", arguments: [true, false])
    func root(_ isOption: Bool) throws {
        let (inside, other) = (try folder.write("in", "text"), try Folder())
        let outside = try other.write("out", "text")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: other.url.path)
        // An option overrides a variable that names another root.
        let variable = ["MULTI_IDENTITY_ROOT": isOption ? other.url.path : folder.url.path]
        let environment = other.keys().merging(variable) { $1 }
        let option = isOption ? ["--root", folder.url.path] : []
        let detour = folder.path("../\(other.url.lastPathComponent)/out")
        for path in [outside, detour, folder.path("link/out")] {
            for command in [["protect", path, "--as", "ada@contoso.com"], ["unprotect", path], ["owner", path]] {
                let outcome = try Program.run(command + option + ["--json"], environment: environment)
                #expect(try outcome.status == 64 && outcome.problems == ["outsideRoot"], "\(command)")
            }
        }
        #expect(try other.read("out") == Data("text".utf8))
        let protect = ["protect", inside, "--as", "ada@contoso.com"]
        #expect(try Program.run(protect + option, environment: environment).status == 0)
        let left = try Program.run(
            ["owner", outside, "--set", "ada@contoso.com", "--no-root"],
            environment: environment
        )
        #expect(left.status == 0)
    }
}
