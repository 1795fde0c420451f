import ArgumentParser
import Foundation
@_spi(Settings) import MultiIdentityManagement

struct ConfigureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "configure",
        abstract: "Check settings files, and show which settings are in force.",
        subcommands: [ConfigureCheck.self, ConfigureExplain.self]
    )
}

/// `configure check FILE…`.
struct ConfigureCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report problems of settings files.",
        discussion:
            "Exits with 0 if the files are valid, and with 1 if a key is unknown. Missing settings have their defaults."
    )

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporter.run("configure check", output) { reporter in
            for file in files {
                try reporter.each(file) {
                    let warnings = try ManagementConfiguration(file: file, environment: [:]).warnings
                    for warning in warnings { try reporter.report(Entry(reason: warning)) }
                    if !warnings.isEmpty { return reporter.answerNo() }
                    try reporter.report(Entry(path: file, reason: "each key is a setting"))
                }
            }
        }
    }
}

/// `configure explain [NAME…]`.
struct ConfigureExplain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show the value, the source and the effect of each setting.",
        discussion:
            "Shows what a program with this file and this environment uses; settings in its code are not known here."
    )

    @Argument(help: "The settings; by default, all of them.")
    var names: [String] = []

    @Option(help: "The settings file.", completion: .file())
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
                    throw CommandFailure(
                        .usage,
                        "unknownSetting",
                        "\(name) is not a setting. The settings are \(known)."
                    )
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
