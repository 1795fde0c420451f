import ArgumentParser
import Foundation
import MultiIdentityManagement

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
            let settings = try IdentitySettings(
                environment: ProcessInfo.processInfo.environment,
                file: file.map { try IdentitySettingsFile($0) }
            )
            for warning in settings.warnings { try reporter.report(Entry(reason: warning)) }
            let named = try names.map { name in
                guard let setting = IdentitySetting.named(name) else {
                    let known = IdentitySetting.all.map(\.name).joined(separator: ", ")
                    throw CommandFailure(.usage, "unknownSetting", "There is no setting \(name). There are \(known).")
                }
                return setting
            }
            for explanation in named.isEmpty ? settings.explanations : named.map(settings.explanation) {
                let setting = explanation.setting
                try reporter.report(
                    Entry(
                        reason: "\(explanation): takes \(setting.kind.words); \(setting.effect)",
                        setting: setting.name,
                        value: setting.isSecret ? nil : explanation.value.map { "\($0)" },
                        source: "\(explanation.source)"
                    )
                )
            }
        }
    }
}
