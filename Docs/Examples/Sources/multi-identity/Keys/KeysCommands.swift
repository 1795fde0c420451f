import ArgumentParser
import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection

/// `keys`.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List and rotate the keys of identities.",
        subcommands: [KeysList.self, KeysRotate.self, KeysRotateMaster.self]
    )
}

/// `keys list`.
struct KeysList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the ids of keys, and their owners; no secrets.",
        discussion: "Ends with 1 where an identity that is named has no key."
    )

    @Argument(help: ArgumentHelp("The owners; without, all.", valueName: "name"), transform: NamedIdentity.init)
    var owners: [NamedIdentity] = []

    @OptionGroup var keys: KeyOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporter.run("keys list", output) { reporter in
            let meant = Set(owners.map(\.identity))
            let listed = try keys.keyFile(mustExist: true).keyIDs().filter { meant.isEmpty || meant.contains($0.key) }
            for (owner, ids) in listed.sorted(by: { $0.key < $1.key }) {
                for id in ids {
                    let state = id == ids.last ? "current" : "former"
                    try reporter.report(Entry(key: "\(id)", state: state, identity: owner.name))
                }
            }
            if !meant.subtracting(listed.keys).isEmpty { reporter.answerNo() }
        }
    }
}

/// `keys rotate`.
struct KeysRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Have new data of identities protected with a new key; the old ones stay, for reading."
    )

    @Argument(help: ArgumentHelp("The owners of the keys.", valueName: "name"), transform: NamedIdentity.init)
    var owners: [NamedIdentity]

    @OptionGroup var keys: KeyOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporter.run("keys rotate", output) { reporter in
            let file = try keys.keyFile(mustExist: true)
            for owner in owners {
                try reporter.each(owner.identity.name) {
                    let id = try file.rotateKey(of: owner.identity)
                    try reporter.report(Entry(action: "rotated", key: "\(id)", identity: owner.identity.name))
                }
            }
        }
    }
}

/// `keys rotate-master`.
struct KeysRotateMaster: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-master",
        abstract: "Wrap all keys with a new master key; data stay as they are.",
        discussion: """
            A program that has the file open needs both master keys until this is done. It can be run again: what is \
            under the new master key already stays so.
            """
    )

    @Option(help: ArgumentHelp("The file of the new master key.", valueName: "file"), completion: .file())
    var newMasterKeyFile: String

    @OptionGroup var keys: KeyOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Reporter.run("keys rotate-master", output) { reporter in
            let new = try MasterKey.fromFile(newMasterKeyFile)
            let file = try keys.keyFile(mustExist: true, under: new)
            try file.rotateMasterKey(to: new)
            try reporter.report(
                Entry(path: try keys.path, action: "rotated", keys: try file.keyIDs().values.joined().count)
            )
        }
    }
}
