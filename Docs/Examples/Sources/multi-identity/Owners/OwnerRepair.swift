import ArgumentParser
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy

/// `owner repair`.
struct OwnerRepair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Bring what is recorded of owners and what is there together, and remove leftovers.",
        discussion: """
            An index learns the names of files that were renamed behind its back, and forgets files that are gone. Files \
            that were never seen are reported, and stay nobody's.
            """
    )

    @Flag(help: "Give files that took a recorded one's place the recorded owner: after a backup was brought back.")
    var adopt = false

    @OptionGroup var storage: StorageOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporter.run("owner repair", output) { reporter in
            let root = try storage.requiredRoot()
            let files = try storage.files(in: root)
            let repair = try files.repair(replaced: adopt ? .adopted : .reported)
            let found = [
                ("unseen", repair.unseen), ("uncertain", repair.uncertain), ("replaced", repair.replaced),
                ("adopted", repair.adopted), ("renamed", repair.renamed), ("forgotten", repair.forgotten),
                ("moved to attributes", repair.movedToAttributes), ("removed a leftover", repair.swept),
            ]
            for (action, paths) in found {
                for path in paths { try reporter.report(Entry(path: "\(root)/\(path)", action: action)) }
            }
            for part in repair.damagedIndexParts {
                reporter.report(
                    CommandFailure(
                        .data,
                        "damagedIndex",
                        "Bytes \(part.lowerBound) to \(part.upperBound) of the index could not be understood: what they said is "
                            + "lost. Set the owners of the files above that were never seen, or are uncertain."
                    )
                )
            }
            for failure in repair.failures {
                reporter.report(CommandFailure(failure), about: "\(root)/\(failure.path)")
            }
            try reporter.report(Entry(path: root, action: "looked at", files: UInt64(repair.fileCount)))
        }
    }
}
