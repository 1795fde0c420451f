import ArgumentParser
import MultiIdentityManagement

/// `configure check FILE…`.
struct ConfigureCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what is wrong with a file of settings, and what apply would add to it.",
        discussion:
            "Ends with 0 where nothing is to be done, and with 1 where a key means nothing or a setting is missing."
    )

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporting.run("configure check", output) { reporter in
            for file in files {
                try reporter.each(file) {
                    let text = try SettingsText(file)
                    for warning in text.warnings { try reporter.tell(Entry(reason: warning)) }
                    for setting in text.added {
                        let value = setting.standard.map { "\($0)" }
                        try reporter.tell(
                            Entry(
                                path: file,
                                reason: "would add \(setting) = \(value ?? "none"): \(setting.effect)",
                                setting: setting.name,
                                value: value
                            )
                        )
                    }
                    if text.warnings.isEmpty, text.added.isEmpty {
                        try reporter.tell(Entry(path: file, reason: "complete"))
                    } else {
                        reporter.answerNo()
                    }
                }
            }
        }
    }
}
