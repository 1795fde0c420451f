import ArgumentParser

/// `configure`.
struct ConfigureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "configure",
        abstract: "Look at a file of settings, complete it, and say which settings are in force.",
        subcommands: [ConfigureCheck.self, ConfigureApply.self, ConfigureExplain.self]
    )
}
