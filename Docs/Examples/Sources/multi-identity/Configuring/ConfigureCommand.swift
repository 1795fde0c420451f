import ArgumentParser
import Foundation
@_spi(Settings) import MultiIdentityManagement

/// `configure`.
struct ConfigureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "configure",
        abstract: "Look at files of settings, and say which settings are in force.",
        subcommands: [ConfigureCheck.self, ConfigureExplain.self]
    )
}

/// `configure check FILE…`.
struct ConfigureCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what is wrong with a file of settings.",
        discussion:
            "Ends with 0 where nothing is wrong, and with 1 where a key means nothing. A setting that a file lacks has its default."
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
