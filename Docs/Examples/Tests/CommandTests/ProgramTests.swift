import Foundation
import MultiIdentity
import Testing

@Suite("multi-identity") struct ProgramTests {
    @Test(
        "says what is wrong with its arguments, and ends with 64; with --json, too",
        arguments: [
            ["nothing"], ["--nothing"], ["policy", "x"], ["protect"], ["wipe", "a"], ["protect", "-"],
            ["policy", "check", "--log", "--send"], ["policy", "check", "--save-to", "nowhere"],
            ["policy", "check", "--account", "a", "--log"], ["policy", "check", "--save-to", "space:"],
            ["protect", "a", "-", "--as", "x"], ["protect", "-", "--as", "x"], ["protect", "a", "--as", ""],
        ]
    )
    func usage(_ arguments: [String]) throws {
        let outcome = try Program.run(arguments + ["--json"])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("Usage:"))
        #expect(try outcome.problems == ["usage"])
    }

    @Test("shows its exit statuses in the help, and the version of the package") func help() throws {
        let outcome = try Program.run(["--help"])
        #expect(outcome.status == 0)
        for status in ["64", "65", "66", "73", "74", "75", "77", "78"] { #expect(outcome.output.contains(status)) }
        for help in [["wipe", "--help"], ["help", "wipe"]] {
            let outcome = try Program.run(help)
            #expect(outcome.status == 0 && outcome.output.contains("--dry-run") && outcome.output.contains("resume"))
        }
        #expect(try Program.run(["--version"]).output == "\(IdentityRuntime.version)\n")
    }

    @Test("refuses arguments that are not UTF-8: as text they would name another file") func notText() throws {
        #expect(try Program.run([], shell: "exec \"$0\" owner $'a\\xff'").status == 64)
    }

    @Test("exits with 74 if its output cannot be written") func fullOutput() throws {
        let folder = try Folder()
        let policies = try folder.write("policies.json", #"{"version": 1}"#)
        let arguments = ["policy", "check", "--policy", policies]
        #expect(try Program.run(arguments, shell: "exec \"$0\" \"$@\" >/dev/full").status == 74)
    }
}
