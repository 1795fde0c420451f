import ArgumentParser

@main
struct DatabaseStress: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database-stress",
        abstract:
            "Runs queries of many tenants over few connections while servers and clients are killed, and checks every row.",
        subcommands: [Stress.self, Client.self],
        defaultSubcommand: Stress.self
    )
}
