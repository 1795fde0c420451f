import Foundation
import Testing

@Suite("The root of multi-identity") struct RootTests {
    /// The ways in which it is named.
    enum Naming: CaseIterable { case option, variable, both }

    private let root: Folder
    private let outside: Folder
    private let keys: Keys

    init() throws {
        (root, outside) = (try Folder(), try Folder())
        keys = Keys(in: outside)
    }

    private func run(_ arguments: [String], _ naming: Naming) throws -> Program.Outcome {
        let option = naming == .variable ? [] : ["--root", root.url.path]
        // An option wins over a variable that names another.
        let variable = naming == .both ? outside.url.path : root.url.path
        let environment = naming == .option ? [:] : ["MULTI_IDENTITY_ROOT": variable]
        return try Program.run(
            arguments + option,
            environment: keys.environment.merging(environment) { $1 }
        )
    }

    @Test("is a boundary, whether an option names it or a variable", arguments: Naming.allCases)
    func boundary(_ naming: Naming) throws {
        let (inside, other) = (try root.write("in", "text"), try outside.write("out", "text"))
        try FileManager.default.createSymbolicLink(
            atPath: root.path("link"),
            withDestinationPath: outside.url.path
        )
        let identity = ["--as", "ada@contoso.com", "--json"]
        let detour = root.path("../\(outside.url.lastPathComponent)/out")
        for path in [other, detour, root.path("link/out")] {
            for command in [["protect", path] + identity, ["unprotect", path, "--json"], ["owner", path, "--json"]] {
                let outcome = try run(command, naming)
                #expect(outcome.status == 64, "\(command)")
                #expect(try outcome.problems == ["outsideRoot"], "\(command)")
            }
            let written = try run(["protect", inside, "-o", path, "--force"] + identity, naming)
            #expect(try written.problems == ["outsideRoot"])
        }
        #expect(try outside.read("out") == Data("text".utf8))
        #expect(try run(["protect", inside] + identity, naming).status == 0)
    }

    @Test("is left where that is said")
    func left() throws {
        let path = try outside.write("out", "text")
        let environment = keys.environment.merging(["MULTI_IDENTITY_ROOT": root.url.path]) { $1 }
        let protect = ["protect", path, "--as", "ada@contoso.com"]
        #expect(try Program.run(protect, environment: environment).errors.contains("--no-root"))
        #expect(try Program.run(protect + ["--no-root"], environment: environment).status == 0)
        // The index that a variable names is the root's.
        let indexed = environment.merging(["MULTI_IDENTITY_INDEX": root.path("index")]) { $1 }
        let owner = try Program.run(["owner", path, "--no-root"], environment: indexed)
        #expect(owner.output == "\(path): ada@contoso.com\n")
    }

    @Test(
        "is named or left, and an index is of a root",
        arguments: [["--root", "."], ["--index", "index"], ["--records", "automatic"]]
    )
    func contradictions(_ arguments: [String]) throws {
        let path = try outside.write("out", "text")
        #expect(try Program.run(["owner", path, "--no-root"] + arguments).status == 64)
    }
}
