import ArgumentParser
import MultiIdentity
import MultiIdentityFiles

/// `owner list NAME`.
struct OwnerList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the files of an identity.",
        discussion: "Reads the owner of every file below the root."
    )

    @Argument(help: ArgumentHelp("The owner of the files.", valueName: "name"), transform: NamedIdentity.init)
    var owner: NamedIdentity?

    @Flag(help: "List files that were made under no identity.")
    var none = false

    @Flag(help: "List files that were made under nobody.")
    var nobody = false

    @Flag(help: "List files of which no owner is known.")
    var unknown = false

    @OptionGroup var storage: StorageOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [owner != nil, none, nobody, unknown].filter(\.self).count == 1 else {
            throw ValidationError("Give a name, --none, --nobody or --unknown: one of them.")
        }
    }

    func run() async throws {
        try await Reporter.run("owner list", output) { reporter in
            let root = try storage.requiredRoot()
            let found = try storage.files(in: root).files(of: meant)
            for path in found.paths {
                var entry = Entry(path: "\(root)/\(path)")
                entry.setOwner(meant)
                try reporter.report(entry)
            }
            for failure in found.failures { reporter.report(CommandFailure(failure), about: "\(root)/\(failure.path)") }
        }
    }

    private var meant: FileOwner? {
        if let owner { return .identity(owner.identity) }
        if none { return .unset }
        return nobody ? .nobody : nil
    }
}
