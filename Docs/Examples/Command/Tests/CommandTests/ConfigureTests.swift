import Foundation
import Testing

@Suite("multi-identity configure") struct ConfigureTests {
    private let folder: Folder
    private let path: String

    init() throws {
        folder = try Folder()
        path = folder.path("app.json")
    }

    private func write(_ text: String, permissions: Int = 0o640) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }

    private var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

    @Test("check says what is missing and ends with 1, and changes nothing") func check() throws {
        try write("{\"multiIdentity\": {\"telemetri\": true}}")
        let outcome = try Program.run(["configure", "check", path])
        #expect(outcome.status == 1 && outcome.output.contains("Did you mean telemetry?"))
        #expect(outcome.output.contains("would add mode = \"multi\""))
        #expect(try text == "{\"multiIdentity\": {\"telemetri\": true}}")
        #expect(try Program.run(["configure", "check", folder.path("none")]).status == 66)
    }

    @Test("apply adds what is missing, once, and keeps the permissions") func apply() throws {
        try write("{\n  \"port\": 8080\n}\n")
        #expect(try Program.run(["configure", "apply", path]).status == 0)
        let once = try text
        #expect(once.hasPrefix("{\n  \"port\": 8080,\n  \"multiIdentity\": {\n    \"mode\": \"multi\","))
        let again = try Program.run(["configure", "apply", path])
        #expect(again.status == 0 && again.output.contains("complete already"))
        #expect(try text == once)
        #expect(try Program.run(["configure", "check", path]).status == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o640)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path(".")).filter { $0.hasPrefix("app") } == [
                "app.json"
            ]
        )
    }

    @Test("apply makes a file that is missing, and writes another where it is asked to") func applyElsewhere() throws {
        #expect(try Program.run(["configure", "apply", path]).status == 0)
        #expect(try Program.run(["configure", "check", path]).status == 0)
        try write("{}")
        let other = folder.path("other.json")
        #expect(try Program.run(["configure", "apply", path, "--output", other]).status == 0)
        #expect(try text == "{}")
        #expect(try Program.run(["configure", "check", other]).status == 0)
    }

    @Test("apply goes through a link, and leaves all as it was where it cannot write") func applyThroughALink() throws {
        try write("{}")
        let link = folder.path("link.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "app.json")
        #expect(try Program.run(["configure", "apply", link]).status == 0)
        #expect(try text.contains("mode") && FileManager.default.destinationOfSymbolicLink(atPath: link) == "app.json")
        let nowhere = try Program.run(["configure", "apply", path, "--output", folder.path("no/where.json")])
        #expect(nowhere.status == 74 && nowhere.errors.contains("The file is as it was."))
        try write("[]")
        #expect(try Program.run(["configure", "apply", path]).status == 78)
        #expect(try text == "[]")
    }

    @Test("explain says where values come from, and shows no secret") func explain() throws {
        try write("{\"multiIdentity\": {\"valuesToScrub\": [\"hunter22\"], \"spread\": 0.5}}")
        let outcome = try Program.run(["configure", "explain", "--file", path])
        #expect(outcome.status == 0 && !outcome.output.contains("hunter22"))
        #expect(outcome.output.contains("spread = 0.5 (\(path): line 1)"))
        let json = try Program.run(["configure", "explain", "--file", path, "--json", "spread", "valuesToScrub"])
        #expect(try json.entries.map { $0["source"] as? String } == ["file", "file"])
        #expect(try json.entries.map { $0["value"] as? String } == ["0.5", nil])
        #expect(try Program.run(["configure", "explain", "sprad"]).status == 64)
    }
}
