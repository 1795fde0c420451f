import ArgumentParser
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy

struct OwnerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "owner",
        abstract: "Show or change the owners of files.",
        subcommands: [OwnerShow.self, OwnerList.self, OwnerRepair.self],
        defaultSubcommand: OwnerShow.self
    )
}

/// `owner [show] FILE…`.
struct OwnerShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the owners of files, or change them.",
        discussion: "Exits with 1 if the owner of a file is unknown."
    )

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("Set the owner to this identity.", valueName: "name"), transform: NamedIdentity.init)
    var set: NamedIdentity?

    @Flag(help: "Set no owner, as if the files were made without an identity.")
    var none = false

    @Flag(help: "Set the owner to nobody.")
    var nobody = false

    @OptionGroup var storage: StorageOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [set != nil, none, nobody].filter(\.self).count <= 1 else {
            throw ValidationError("Pass only one of --set, --none and --nobody.")
        }
    }

    func run() async throws {
        try await Reporter.run("owner", output) { reporter in
            let locations = Locations(storage)
            for file in files {
                try reporter.each(file) {
                    let location = try locations.location(of: file)
                    if let newOwner { try location.files.setOwner(newOwner, of: location.path) }
                    let owner = try location.files.owner(of: location.path)
                    var entry = Entry(path: file, action: newOwner == nil ? nil : "set")
                    entry.setOwner(owner)
                    if owner == nil { reporter.answerNo() }
                    try reporter.report(entry)
                }
            }
        }
    }

    private var newOwner: FileOwner? {
        if none { return .unset }
        if nobody { return .nobody }
        return (set?.identity).map(FileOwner.identity)
    }
}

/// `owner list NAME`.
struct OwnerList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the files of an identity.",
        discussion: "Reads the owner of every file below the root."
    )

    @Argument(help: ArgumentHelp("The owner of the files.", valueName: "name"), transform: NamedIdentity.init)
    var owner: NamedIdentity?

    @Flag(help: "List files made without an identity.")
    var none = false

    @Flag(help: "List files made under nobody.")
    var nobody = false

    @Flag(help: "List files without a known owner.")
    var unknown = false

    @OptionGroup var storage: StorageOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [owner != nil, none, nobody, unknown].filter(\.self).count == 1 else {
            throw ValidationError("Pass one of: a name, --none, --nobody, --unknown.")
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

struct OwnerRepair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Reconcile recorded owners with the files, and remove leftovers.",
        discussion: """
            An index learns the names of files renamed by other programs, and drops files that no longer exist. Files \
            without a record are reported, and stay nobody's.
            """
    )

    @Flag(help: "Give files that replaced recorded ones the recorded owner, after a backup was restored.")
    var adopt = false

    @OptionGroup var storage: StorageOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporter.run("owner repair", output) { reporter in
            let root = try storage.requiredRoot()
            let files = try storage.files(in: root)
            let repair = try files.repair(adoptsReplaced: adopt)
            let found = [("unseen", repair.unseen), ("uncertain", repair.uncertain), ("replaced", repair.replaced)]
            for (action, paths) in found {
                for path in paths { try reporter.report(Entry(path: "\(root)/\(path)", action: action)) }
            }
            for failure in repair.failures {
                reporter.report(CommandFailure(failure), about: "\(root)/\(failure.path)")
            }
        }
    }
}

extension Entry {
    mutating func setOwner(_ owner: FileOwner?) {
        switch owner {
        case nil: ownership = "unknown"
        case .unset: ownership = "none"
        case .nobody: ownership = "nobody"
        case .identity(let identity): (ownership, self.owner) = ("named", identity.name)
        }
    }
}
