import ArgumentParser
import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection

/// `wipe`.
struct WipeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wipe",
        abstract: "Remove all files and keys of an identity, and nobody else's.",
        subcommands: [WipeRun.self, WipeResume.self, WipeStatusList.self],
        defaultSubcommand: WipeRun.self
    )
}

/// `wipe [run] NAME`.
struct WipeRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Remove all files and keys of an identity, or say what would be removed.",
        discussion: """
            Programs that run know nothing of it: sign the account out there first, or they make new files for it. What \
            else they keep of the account, as rows, is theirs to remove.

            An interrupted wipe goes on with `wipe resume`. Ends with 75 where something is left.
            """
    )

    @Argument(help: ArgumentHelp("The owner of the files and keys.", valueName: "name"), transform: NamedIdentity.init)
    var identity: NamedIdentity

    @Flag(help: "Say what would be removed, and touch nothing.")
    var dryRun = false

    @Flag(help: "Remove it, for good.")
    var yes = false

    @OptionGroup var options: WipeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard dryRun != yes else {
            throw ValidationError("Give --dry-run to see what would go, or --yes to remove it.")
        }
    }

    func run() async throws {
        try await Reporter.run("wipe", output) { reporter in
            let (wipe, identity) = (try options.wipe(), identity.identity)
            if dryRun { return try reporter.reportForecast(try await wipe.dryRun(identity)) }
            try reporter.report(try await wipe.wipe(identity))
        }
    }
}

/// `wipe resume`.
struct WipeResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Go on with each wipe that was interrupted or left something.",
        discussion: "Give the same roots and keys as before. Ends with 75 where something is left still."
    )

    @OptionGroup var options: WipeOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporter.run("wipe resume", output) { reporter in
            let wipe = try options.wipe()
            for status in try await wipe.resume() { try reporter.report(status) }
        }
    }
}

/// `wipe status`.
struct WipeStatusList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of each wipe that has a journal or a report.",
        discussion: "Ends with 1 where one is not complete."
    )

    @OptionGroup var journals: JournalOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporter.run("wipe status", output) { reporter in
            let wipe = try IdentityWipe(journals: journals.path, accounts: EverybodyManaged(), storages: []) { _ in
                .leftToStorages
            }
            for status in try await wipe.status() { try reporter.answer(status) }
        }
    }
}
