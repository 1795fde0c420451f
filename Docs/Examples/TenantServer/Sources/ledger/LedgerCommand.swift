import ArgumentParser

/// The program.
@main
struct LedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "A ledger for each user, and the jobs that its entries enqueue.",
        discussion:
            "Configured by the environment: LEDGER_DATABASE, LEDGER_CLAIM_KEYS and LEDGER_JOB_KEYS are required.",
        subcommands: [ServeCommand.self, CheckCommand.self, JobsCommand.self, SchemaCommand.self],
        defaultSubcommand: ServeCommand.self
    )
}
