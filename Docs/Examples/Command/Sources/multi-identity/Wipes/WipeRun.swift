import ArgumentParser
import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection

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
        try await Reporting.run("wipe", output) { reporter in
            let (wipe, identity) = (try options.wipe(), identity.identity)
            let progress = reporter.progress
            if dryRun {
                let forecast = try await wipe.dryRun(identity) { progress.tell($0) }
                return try reporter.tell(forecast)
            }
            let report = try await Interruption.cancelling {
                try await wipe.wipe(identity) { progress.tell($0) }
            }
            try reporter.tell(WipeStatus.Shown(report))
        }
    }
}
