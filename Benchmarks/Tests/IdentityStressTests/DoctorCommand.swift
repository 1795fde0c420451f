import ArgumentParser
import Foundation
import MultiIdentityDoctor
import Testing

@testable import IdentityStress

@Suite("The doctor's command") struct DoctorCommand {
    @Test("stands beside a run, which needs no command's name")
    func commands() throws {
        #expect(try Program.parseAsRoot(["doctor", "--boundary", "queue.sync"]) is Doctor)
        #expect(try Program.parseAsRoot(["doctor"]) is Doctor)
        #expect(try Program.parseAsRoot(["--hops", "5", "--boundary", "queue.sync"]) is IdentityStress)
        #expect(try Program.parseAsRoot([]) is IdentityStress)
        #expect(try Program.parseAsRoot(["run", "--hops", "5"]) is IdentityStress)
    }

    @Test(
        "refuses arguments that make no sense, with a message that names them",
        arguments: [
            ["--boundary", "telepathy"], ["--sabotage", "telepathy"], ["--limit", "0"], ["--limit", "nan"],
            ["--sabotage", "queue.async", "--boundary", "queue.sync"], ["--json", "--markdown"],
        ]
    )
    func refused(_ arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) { try Doctor.parse(arguments) }
        #expect(Doctor.message(for: try #require(error)).contains(arguments[0]))
    }

    @Test("shows findings for people, for machines, and as a document")
    func formats() async throws {
        let options = try Doctor.parse(
            ["queue.async", "queue.asyncAndWait", "Task { }"].flatMap { ["--boundary", $0] } + ["--limit", "120"]
        ).options
        let diagnosis = await IdentityDoctor.examine(options)
        #expect(try Doctor.text(of: diagnosis, nil).hasSuffix("boundaries that were examined."))
        let json = try Doctor.text(of: diagnosis, .json)
        #expect(try JSONDecoder().decode(Diagnosis.self, from: Data(json.utf8)) == diagnosis)
        let document = try Doctor.text(of: diagnosis, .markdown)
        #expect(document.hasPrefix("Examined on "))
        #expect(document.contains("\n| `queue.async` | lost | kept: `IdentityQueue` | dispatched |"))
        #expect(document.contains("\n| `Task { }` | kept | kept, by the language | created |"))
        #if os(Linux)
        #expect(document.contains("\n| `queue.asyncAndWait` | – | does not exist here: "))
        #endif
        let again = await IdentityDoctor.examine(options)
        #expect(try Doctor.text(of: again, .markdown) == document)
    }
}
