import ArgumentParser
import Foundation
import MultiIdentity

@main struct Program: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "multi-identity",
        abstract: "Manage the owners of files, their protection, and what is removed when a user leaves.",
        discussion: """
            EXIT STATUS: 0 done, or yes; 1 no; 64 wrong usage; 65 invalid data or policies; 66 a file is missing or \
            unreadable; 70 a bug; 73 a file cannot be created; 74 the system failed; 75 in use or incomplete, try again; \
            77 no permission, or the wrong key; 78 missing or invalid keys or settings.

            EXAMPLES:
              multi-identity protect data/notes.txt --as grace@contoso.com --keys keys
              multi-identity owner list ada@contoso.com --root data
              multi-identity policy check --identity ada@contoso.com --log
              multi-identity wipe ada@contoso.com --dry-run
            """,
        version: IdentityRuntime.version,
        subcommands: [
            OwnerCommand.self, ProtectCommand.self, UnprotectCommand.self, InfoCommand.self, KeysCommand.self,
            PolicyCommand.self, WipeCommand.self, AuditCommand.self, ConfigureCommand.self, DiagnoseCommand.self,
        ]
    )

    static func main() async {
        do {
            try checkText()
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    /// Refuses arguments that are not UTF-8: as text they would name another file, or another identity.
    private static func checkText() throws {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            if String(validatingCString: argument) == nil {
                throw ValidationError("Argument \(index), \(String(cString: argument)), is not UTF-8.")
            }
        }
    }

    /// The help of the default subcommand, such as that of `wipe run` for `wipe`.
    private static var helpOfDefault: String? {
        var command: any ParsableCommand.Type = Program.self
        for word in CommandLine.arguments.dropFirst() {
            command = command.configuration.subcommands.first { $0._commandName == word } ?? command
        }
        return command.configuration.defaultSubcommand.map { helpMessage(for: $0) }
    }

    /// Exits like the library's `exit(withError:)`, with terminal control characters escaped, and as JSON on request.
    private static func end(with error: any Error) -> Never {
        let code = exitCode(for: error)
        let message = error is ExitCode ? "" : fullMessage(for: error)
        // Help and completion scripts are the output, and stay unchanged.
        if message.hasPrefix("OVERVIEW: "), let options = helpOfDefault {
            print(message, options, separator: "\n\n")
            exit()
        }
        if message.isEmpty || code == .success { exit(withError: error) }
        for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
            StandardError.write(String(line).shown)
        }
        if CommandLine.arguments.dropFirst().prefix(while: { $0 != "--" }).contains("--json") {
            var options = OutputOptions()
            options.json = true
            let reporter = Reporter("multi-identity", options)
            reporter.note(CommandFailure(ExitStatus(number: code.rawValue), "usage", self.message(for: error)))
            try? reporter.finish()
        }
        exit(withError: code)
    }
}
