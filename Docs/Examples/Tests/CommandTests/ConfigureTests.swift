import Foundation
import Testing

@Suite("multi-identity configure") struct ConfigureTests {
    private let folder: Folder
    private let path: String

    init() throws {
        folder = try Folder()
        path = folder.path("app.json")
    }

    private var text: String { get throws { String(decoding: try folder.read("app.json"), as: UTF8.self) } }

    @Test("apply adds what is missing, once, through a link, and keeps the permissions") func apply() throws {
        try folder.write("app.json", "{\n  \"port\": 8080\n}\n")
        try folder.setPermissions(0o640, of: "app.json")
        #expect(try Program.run(["configure", "apply", path]).status == 0)
        let once = try text
        #expect(once.hasPrefix("{\n  \"port\": 8080,\n  \"multiIdentity\": {\n    \"mode\": \"multi\","))
        let link = folder.path("link.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "app.json")
        let again = try Program.run(["configure", "apply", link])
        #expect(again.status == 0 && again.output.contains("complete already"))
        #expect(try text == once && folder.permissions(of: "app.json") == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "app.json")
        #expect(try Program.run(["configure", "apply", path, "--output", folder.path("no/where.json")]).status == 66)
        try folder.write("app.json", "[]")
        #expect(try Program.run(["configure", "apply", path]).status == 78)
        #expect(try text == "[]" && folder.names == ["app.json", "link.json"])
    }

    @Test("explain says where values come from, and shows no secret") func explain() throws {
        try folder.write("app.json", "{\"multiIdentity\": {\"valuesToScrub\": [\"hunter22\"], \"spread\": 0.5}}")
        let outcome = try Program.run(["configure", "explain", "--file", path])
        #expect(outcome.status == 0 && !outcome.output.contains("hunter22"))
        #expect(outcome.output.contains("spread = 0.5 (\(path): line 1)"))
        #expect(try Program.run(["configure", "explain", "sprad"]).status == 64)
    }
}
