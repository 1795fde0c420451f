import ArgumentParser
import MultiIdentityPolicy
import MultiIdentityProtection

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
        try await Reporting.run("wipe resume", output) { reporter in
            let wipe = try options.wipe()
            let progress = reporter.progress
            let statuses = try await Interruption.cancelling {
                try await wipe.resume { progress.tell($0) }
            }
            for status in statuses { try reporter.tell(WipeStatus.Shown(status)) }
        }
    }
}
