import ArgumentParser
import MultiIdentityPolicy
import MultiIdentityProtection

/// `wipe status`.
struct WipeStatusList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tell how wipes stand that have a journal or a report.",
        discussion: "Ends with 1 where one is not complete."
    )

    @OptionGroup var journals: JournalOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporting.run("wipe status", output) { reporter in
            let wipe = try IdentityWipe(journals: journals.path, accounts: EverybodyManaged(), storages: []) { _ in
                .leftToStorages
            }
            for status in try await wipe.status() {
                if status.state != .complete { reporter.answerNo() }
                try reporter.tell(WipeStatus.Shown(status), isQuestion: true)
            }
        }
    }
}
