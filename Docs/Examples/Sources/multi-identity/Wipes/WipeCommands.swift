import ArgumentParser
import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection

struct WipeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wipe",
        abstract: "Remove all files and keys of one identity.",
        subcommands: [WipeRun.self, WipeResume.self, WipeStatusList.self],
        defaultSubcommand: WipeRun.self
    )
}

/// `wipe [run] NAME`.
struct WipeRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Remove all files and keys of an identity, or show what would be removed.",
        discussion: """
            Running programs are not notified: sign the account out there first, or they create new files for it. Those \
            programs must remove other data of the account, such as rows, themselves.

            Run `wipe resume` to continue an interrupted wipe. Exits with 75 if something is left.
            """
    )

    @Argument(help: ArgumentHelp("The owner of the files and keys.", valueName: "name"), transform: NamedIdentity.init)
    var identity: NamedIdentity

    @Flag(help: "Show what would be removed, and change nothing.")
    var dryRun = false

    @Flag(help: "Remove it permanently.")
    var yes = false

    @OptionGroup var options: WipeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard dryRun != yes else {
            let advice = "Pass --dry-run to see what would be removed, or --yes to remove it."
            throw ValidationError(([advice] + options.missing).joined(separator: " "))
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

struct WipeResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resume every interrupted or incomplete wipe.",
        discussion: "Pass the same roots and keys as before. Exits with 75 if something is still left."
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
                .notRemoved
            }
            for status in try await wipe.status() { try reporter.answer(status) }
        }
    }
}
