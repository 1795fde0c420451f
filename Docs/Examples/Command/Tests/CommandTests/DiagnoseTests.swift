import Foundation
import MultiIdentity
import MultiIdentityManagement
import Testing

@Suite("multi-identity diagnose") struct DiagnoseTests {
    private let folder: Folder
    private let path: String

    init() throws {
        folder = try Folder()
        path = folder.path("s")
    }

    private static func report() -> ManagementReport {
        let rows = [ManagementReport.Row("key", "hunter22"), .init("mode\u{1B}[2J", "multi\nuser")]
        return ManagementReport([.init("runtime", rows), .init("events", [])], Scrubber(values: ["hunter22"]))
    }

    @Test("shows what a running program says, and writes it to be handed on and read again") func shows() throws {
        let socket = try ReportSocket(at: path) { Self.report() }
        let outcome = try Program.run(["diagnose", socket.path])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "runtime:" && lines.last == "events:" && lines.count == 4)
        #expect(!outcome.output.contains("\u{1B}"), "nothing acts on the terminal")
        let json = try Program.run(["diagnose", path, "--json"])
        #expect(try json.entries.compactMap { $0["value"] as? String }.last == "multi\nuser")
        #expect(try json.entries.count == 4)
        let archive = folder.path("archive.json")
        #expect(try Program.run(["diagnose", path, "--archive", archive]).status == 0)
        #expect(try FileManager.default.attributesOfItem(atPath: archive)[.posixPermissions] as? Int == 0o600)
        #expect(try Program.run(["diagnose", archive]).output == outcome.output)
        for text in [outcome.output, json.output, try String(contentsOfFile: archive, encoding: .utf8)] {
            #expect(!text.contains("hunter22"))
        }
        #expect(try Program.run(["diagnose", path, "--archive", archive]).status == 73, "it is there already")
    }

    @Test("says where nobody listens, and what is no report") func refuses() throws {
        let nobody = try Program.run(["diagnose", path, "--json"])
        #expect(nobody.status == 66)
        #expect(try nobody.problems == ["nobodyListens"])
        let other = try folder.write("other.json", "{}")
        #expect(try Program.run(["diagnose", other]).status == 65)
        #expect(try Program.run(["diagnose", folder.url.path]).status != 0)
    }
}
