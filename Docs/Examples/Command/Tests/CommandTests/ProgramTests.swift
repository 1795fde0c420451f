import Foundation
import MultiIdentity
import Testing

@Suite("The program multi-identity") struct ProgramTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

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

    @Test(
        "suggests the subcommand that a mistyped one was meant to be",
        arguments: [
            (["protct", "a"], "protect"), (["unprotcet", "a"], "unprotect"), (["kyes"], "keys"),
            (["policy", "chek"], "check"), (["keys", "rotate-mastr"], "rotate-master"),
        ]
    )
    func suggestion(_ arguments: [String], _ meant: String) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("Did you mean '\(meant)'?"))
        let json = try Program.run(arguments + ["--json"])
        #expect(json.output.contains("Did you mean '\(meant)'?"))
    }

    @Test(
        "suggests nothing where nothing is near, or where the subcommand is right",
        arguments: [["telepathy"], ["x"], ["protect"], ["policy", "check", "chek"], ["--chek"]]
    )
    func noSuggestion(_ arguments: [String]) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.status == 64)
        #expect(!outcome.errors.contains("Did you mean '"))
    }

    @Test("is of the version of the package")
    func version() throws {
        #expect(try Program.run(["--version"]).output == "\(IdentityRuntime.version)\n")
    }

    @Test("completes a subcommand in a real bash")
    func completesInBash() throws {
        let script = try folder.write("completion", try Program.run(["--generate-completion-script", "bash"]).output)
        let bash = Process()
        let output = Pipe()
        bash.executableURL = URL(filePath: "/usr/bin/env")
        let line = """
            source "$1"; COMP_WORDS=(multi-identity pr); COMP_CWORD=1; COMP_LINE="multi-identity pr"; COMP_POINT=17; COMP_TYPE=9
            "$(complete -p multi-identity | sed 's/.*-F \\([^ ]*\\).*/\\1/')" multi-identity pr multi-identity; echo "${COMPREPLY[@]}"
            """
        bash.arguments = ["bash", "-c", line, "bash", script]
        bash.standardOutput = output
        try bash.run()
        let completed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        bash.waitUntilExit()
        #expect(completed == "protect\n")
    }

    @Test("refuses arguments that are not UTF-8: as text they would name another file")
    func notText() throws {
        let shell = Process()
        shell.executableURL = URL(filePath: "/usr/bin/env")
        shell.arguments = ["bash", "-c", "exec \"$0\" owner $'a\\xff'", Program.url.path]
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 64)
    }

    @Test(
        "tells with --json what is wrong with its arguments, too",
        arguments: [["policy", "x"], ["protect"], ["wipe", "a"]]
    )
    func usageInJSON(_ arguments: [String]) throws {
        let outcome = try Program.run(arguments + ["--json"])
        #expect(outcome.status == 64)
        #expect(try outcome.problems == ["usage"])
    }

    @Test("ends with 74 where its output goes nowhere")
    func fullOutput() throws {
        let policies = try folder.write("policies.json", #"{"version": 1}"#)
        let shell = Process()
        shell.executableURL = URL(filePath: "/usr/bin/env")
        shell.arguments = [
            "bash", "-c", "exec \"$0\" policy check --policy \"$1\" >/dev/full", Program.url.path, policies,
        ]
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 74)
    }
}
