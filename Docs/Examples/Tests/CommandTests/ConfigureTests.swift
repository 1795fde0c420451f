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

    @Test("check says what is missing and ends with 1, and changes nothing") func check() throws {
        try folder.write("app.json", "{\"multiIdentity\": {\"telemetri\": true}}")
        let outcome = try Program.run(["configure", "check", path])
        #expect(outcome.status == 1 && outcome.output.contains("Did you mean telemetry?"))
        #expect(outcome.output.contains("would add mode = \"multi\""))
        #expect(try text == "{\"multiIdentity\": {\"telemetri\": true}}")
        #expect(try Program.run(["configure", "check", folder.path("none")]).status == 66)
    }

    @Test("apply adds what is missing, once, and keeps the permissions") func apply() throws {
        try folder.write("app.json", "{\n  \"port\": 8080\n}\n")
        try folder.setPermissions(0o640, of: "app.json")
        #expect(try Program.run(["configure", "apply", path]).status == 0)
        let once = try text
        #expect(once.hasPrefix("{\n  \"port\": 8080,\n  \"multiIdentity\": {\n    \"mode\": \"multi\","))
        let again = try Program.run(["configure", "apply", path])
        #expect(again.status == 0 && again.output.contains("complete already"))
        #expect(try text == once)
        #expect(try Program.run(["configure", "check", path]).status == 0)
        #expect(try folder.permissions(of: "app.json") == 0o640)
        #expect(try folder.names == ["app.json"])
    }

    @Test("apply makes a file that is missing, writes another where asked to, and goes through a link") func other()
        throws
    {
        #expect(try Program.run(["configure", "apply", path]).status == 0)
        #expect(try Program.run(["configure", "check", path]).status == 0)
        #expect(try folder.permissions(of: "app.json") == 0o600)
        try folder.write("app.json", "{}")
        let link = folder.path("link.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "app.json")
        #expect(try Program.run(["configure", "apply", link, "--output", folder.path("other.json")]).status == 0)
        #expect(try text == "{}")
        #expect(try Program.run(["configure", "check", folder.path("other.json")]).status == 0)
        #expect(try Program.run(["configure", "apply", link]).status == 0)
        #expect(try text.contains("mode") && FileManager.default.destinationOfSymbolicLink(atPath: link) == "app.json")
        #expect(try Program.run(["configure", "apply", path, "--output", folder.path("no/where.json")]).status == 66)
        try folder.write("app.json", "[]")
        #expect(try Program.run(["configure", "apply", path]).status == 78)
        #expect(try text == "[]")
    }

    @Test("explain says where values come from, and shows no secret") func explain() throws {
        try folder.write("app.json", "{\"multiIdentity\": {\"valuesToScrub\": [\"hunter22\"], \"spread\": 0.5}}")
        let outcome = try Program.run(["configure", "explain", "--file", path])
        #expect(outcome.status == 0 && !outcome.output.contains("hunter22"))
        #expect(outcome.output.contains("spread = 0.5 (\(path): line 1)"))
        let json = try Program.run(["configure", "explain", "--file", path, "--json", "spread", "valuesToScrub"])
        #expect(try json.entries.map { $0["source"] as? String } == ["file", "file"])
        #expect(try json.entries.map { $0["value"] as? String } == ["0.5", nil])
        #expect(try Program.run(["configure", "explain", "sprad"]).status == 64)
    }
}
