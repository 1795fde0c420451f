import Foundation
import Testing

@Suite("The program multi-identity") struct ProgramTests {
    @Test("completes its arguments in each shell", arguments: ["bash", "zsh", "fish"])
    func completion(_ shell: String) throws {
        let outcome = try Program.run(["--generate-completion-script", shell])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("multi-identity"))
        for name in ["policy", "check", "save-to"] { #expect(outcome.output.contains(name)) }
        let script = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID().uuidString)")
        try Data(outcome.output.utf8).write(to: script)
        defer { try? FileManager.default.removeItem(at: script) }
        guard let path = ["/bin/", "/usr/bin/"].map({ $0 + shell }).first(where: FileManager.default.isExecutableFile)
        else { return }
        let check = Process()
        check.executableURL = URL(filePath: path)
        check.arguments = ["-n", script.path]
        try check.run()
        check.waitUntilExit()
        #expect(check.terminationStatus == 0, "\(shell) reads the script")
    }

    @Test(
        "says what is wrong with its arguments, and ends with 64",
        arguments: [["nothing"], ["--nothing"], ["policy", "x"]]
    )
    func usage(_ arguments: [String]) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("Usage:"))
    }

    @Test("tells its exit statuses where it is asked for help")
    func help() throws {
        let outcome = try Program.run(["--help"])
        #expect(outcome.status == 0)
        for status in ["64", "65", "66", "73", "74", "75", "77", "78"] { #expect(outcome.output.contains(status)) }
    }
}
