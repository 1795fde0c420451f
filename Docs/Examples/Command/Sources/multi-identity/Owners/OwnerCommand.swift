import ArgumentParser

/// `owner`.
struct OwnerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "owner",
        abstract: "Tell or change whose files are.",
        subcommands: [OwnerShow.self, OwnerList.self, OwnerRepair.self],
        defaultSubcommand: OwnerShow.self
    )
}
