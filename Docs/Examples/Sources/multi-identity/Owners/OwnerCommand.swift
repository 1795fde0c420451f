import ArgumentParser
import MultiIdentity
import MultiIdentityFiles

/// `owner`.
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
        discussion: "Ends with 1 where no owner is known of a file."
    )

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("Give them to this identity.", valueName: "name"), transform: NamedIdentity.init)
    var set: NamedIdentity?

    @Flag(help: "Have them belong to none, as if made under no identity.")
    var none = false

    @Flag(help: "Have them belong to nobody.")
    var nobody = false

    @OptionGroup var storage: StorageOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [set != nil, none, nobody].filter(\.self).count <= 1 else {
            throw ValidationError("Give one of --set, --none and --nobody.")
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

extension Entry {
    /// Sets the owner of the file.
    mutating func setOwner(_ owner: FileOwner?) {
        switch owner {
        case nil: ownership = "unknown"
        case .unset: ownership = "none"
        case .nobody: ownership = "nobody"
        case .identity(let identity): (ownership, self.owner) = ("named", identity.name)
        }
    }
}
