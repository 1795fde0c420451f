import ArgumentParser
import Foundation
@_spi(Settings) import MultiIdentityManagement

/// `configure`.
struct ConfigureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "configure",
        abstract: "Look at a file of settings, complete it, and say which settings are in force.",
        subcommands: [ConfigureCheck.self, ConfigureApply.self, ConfigureExplain.self]
    )
}

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
        try await Reporter.run("configure check", output) { reporter in
            for file in files {
                try reporter.each(file) {
                    let text = try SettingsText(file)
                    for warning in text.warnings { try reporter.report(Entry(reason: warning)) }
                    for setting in text.added {
                        try reporter.report(
                            Entry(
                                path: file,
                                reason: "would add \(setting) = \(setting.standard ?? "none"): \(setting.effect)",
                                setting: setting.rawValue,
                                value: setting.standard
                            )
                        )
                    }
                    if text.warnings.isEmpty, text.added.isEmpty {
                        try reporter.report(Entry(path: file, reason: "complete"))
                    } else {
                        reporter.answerNo()
                    }
                }
            }
        }
    }
}

/// `configure apply FILE`.
struct ConfigureApply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Add the settings that a file lacks, with their defaults.",
        discussion: """
            What is in the file stays as it is, byte by byte; a second run changes nothing. The file is replaced whole or not at all, \
            and one that is missing is made.
            """
    )

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Option(name: .shortAndLong, help: "The file to write, instead of the one that is read.", completion: .file())
    var output: String?

    @OptionGroup var options: OutputOptions

    func run() async throws {
        try await Reporter.run("configure apply", options) { reporter in
            let text = try SettingsText(file, madeWhereMissing: true)
            for warning in text.warnings { try reporter.report(Entry(reason: warning)) }
            if !text.added.isEmpty || output != nil { try text.write(to: output ?? file) }
            try reporter.report(
                Entry(
                    path: file,
                    output: output,
                    action: text.added.isEmpty ? "complete already" : "added",
                    reason: text.added.isEmpty ? nil : text.added.map(\.rawValue).joined(separator: " ")
                )
            )
        }
    }
}

/// `configure explain [NAME…]`.
struct ConfigureExplain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say which value of each setting is in force here, where it comes from, and what it does.",
        discussion:
            "As a program would have them that is given this file and this environment; what its code sets is not known here."
    )

    @Argument(help: "The settings; all of them where none is named.")
    var names: [String] = []

    @Option(help: "The file of settings.", completion: .file())
    var file: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporter.run("configure explain", output) { reporter in
            let configuration = try ManagementConfiguration(
                file: file,
                environment: ProcessInfo.processInfo.environment
            )
            for warning in configuration.warnings { try reporter.report(Entry(reason: warning)) }
            let named = try names.map { name in
                guard let setting = ManagementSetting(rawValue: name) else {
                    let known = ManagementSetting.allCases.map(\.rawValue).joined(separator: ", ")
                    throw CommandFailure(.usage, "unknownSetting", "There is no setting \(name). There are \(known).")
                }
                return setting
            }
            for setting in named.isEmpty ? ManagementSetting.allCases : named {
                let explanation = configuration.explanation(of: setting)
                try reporter.report(
                    Entry(
                        reason: "\(setting) = \(explanation): takes \(setting.kind.words); \(setting.effect)",
                        setting: setting.rawValue,
                        value: configuration.shownValue(of: setting),
                        source: configuration.source(of: setting).rawValue
                    )
                )
            }
        }
    }
}
