import ArgumentParser
import MultiIdentityManagement

/// `configure apply FILE`.
struct ConfigureApply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Add the settings that a file lacks, with their defaults.",
        discussion: """
            What stands in the file stays as it is, byte by byte; a second run changes nothing. The file is replaced whole or not at all, \
            and one that is missing is made.
            """
    )

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Option(name: .shortAndLong, help: "The file to write, instead of the one that is read.", completion: .file())
    var output: String?

    @OptionGroup var options: OutputOptions

    func run() async throws {
        try await Reporting.run("configure apply", options) { reporter in
            let text = try SettingsText(file, madeWhereMissing: true)
            for warning in text.warnings { try reporter.tell(Entry(reason: warning)) }
            if !text.added.isEmpty || output != nil { try text.write(to: output ?? file) }
            try reporter.tell(
                Entry(
                    path: file,
                    output: output,
                    action: text.added.isEmpty ? "complete already" : "added",
                    reason: text.added.isEmpty ? nil : text.added.map(\.name).joined(separator: " ")
                )
            )
        }
    }
}
