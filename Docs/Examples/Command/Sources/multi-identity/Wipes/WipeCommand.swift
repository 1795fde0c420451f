import ArgumentParser

/// `wipe`.
struct WipeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wipe",
        abstract: "Remove all files and keys of an identity, and nobody else's.",
        subcommands: [WipeRun.self, WipeResume.self, WipeStatusList.self],
        defaultSubcommand: WipeRun.self
    )
}
