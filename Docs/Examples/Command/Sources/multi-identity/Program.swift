import ArgumentParser
import Foundation
import MultiIdentity

/// The program.
@main
struct Program: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "multi-identity",
        abstract: "The owners of files, who may read them, and what goes when somebody leaves.",
        discussion: """
            EXIT STATUS: 0 done, or yes; 1 the answer is no; 64 wrong usage; 65 the data or the policies are not in \
            order; 66 a file is missing or cannot be read; 70 a bug; 73 a file cannot be written; 74 the system failed; \
            75 in use or not all done, try again; 77 no permission, or not the right key; 78 keys or settings are \
            missing or not in order; 130 interrupted.
            """,
        version: IdentityRuntime.version,
        subcommands: [
            OwnerCommand.self, ProtectCommand.self, UnprotectCommand.self, InfoCommand.self, KeysCommand.self,
            PolicyCommand.self, WipeCommand.self, AuditCommand.self, ConfigureCommand.self,
            DiagnoseCommand.self,
        ]
    )

    static func main() async {
        Interruption.watch()
        do {
            try CommandLineText.check()
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

    /// As the library's `exit(withError:)`, with whatever could act on the terminal written out, and JSON if asked for.
    private static func end(with error: any Error) -> Never {
        let code = exitCode(for: error).rawValue
        let suggestion = code == 0 ? nil : Suggestion.line(for: CommandLine.arguments.dropFirst())
        let said = error is ExitCode ? "" : fullMessage(for: error)
        if said.isEmpty { exit(withError: ExitCode(code)) }
        let message = suggestion.map { said + "\n" + $0 } ?? said
        let shown = message.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).shown }
        let text = shown.joined(separator: "\n") + "\n"
        // What was asked for, as help and completion scripts, is the output; it is ours, and stays as it is.
        let isWritten = Result { () throws(CommandFailure) in
            try StandardStreams.write(code == 0 ? message + "\n" : text, to: code == 0 ? STDOUT_FILENO : STDERR_FILENO)
        }
        if code == 0 {
            exit(withError: ExitCode((try? isWritten.get()) == nil ? ExitStatus.systemFailure.number : 0))
        }
        if CommandLineText.wantsJSON {
            let failure = CommandFailure(
                ExitStatus(number: code),
                "usage",
                [self.message(for: error), suggestion].compactMap(\.self).joined(separator: " ")
            )
            let options = OutputOptions.asJSON
            if let reporter = try? Reporter("multi-identity", options) {
                reporter.note(failure)
                try? reporter.finish()
            }
        }
        exit(withError: ExitCode(code))
    }
}
