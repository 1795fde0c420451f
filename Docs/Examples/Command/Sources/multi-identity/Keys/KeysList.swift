import ArgumentParser
import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection

/// `keys list`.
struct KeysList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the ids of keys, and their owners; no secrets.",
        discussion: "Ends with 1 where an identity that is named has no key."
    )

    @Argument(help: ArgumentHelp("The owners; without, everybody's.", valueName: "name"), transform: NamedIdentity.init)
    var owners: [NamedIdentity] = []

    @OptionGroup var keys: KeyOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporting.run("keys list", output) { reporter in
            let meant = Set(owners.map(\.identity))
            let listed = try keys.keyFile(mustExist: true).listedKeys().filter {
                meant.isEmpty || meant.contains($0.owner)
            }
            for key in listed {
                try reporter.tell(
                    Entry(key: "\(key.id)", state: key.isCurrent ? "current" : "former", identity: key.owner.name)
                )
            }
            if !meant.subtracting(listed.map(\.owner)).isEmpty { reporter.answerNo() }
        }
    }
}
