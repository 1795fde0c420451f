import ArgumentParser

/// `owner`.
struct OwnerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "owner",
        abstract: "Show or change the owners of files.",
        subcommands: [OwnerShow.self, OwnerList.self, OwnerRepair.self],
        defaultSubcommand: OwnerShow.self
    )
}
