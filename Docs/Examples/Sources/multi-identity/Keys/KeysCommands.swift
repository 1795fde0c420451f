import ArgumentParser
import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List and rotate the keys of identities.",
        subcommands: [KeysList.self, KeysRotate.self, KeysRotateMaster.self]
    )
}

struct KeysList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the IDs of keys and their owners; no secrets.",
        discussion: "Exits with 1 if a named identity has no key."
    )

    @Argument(help: ArgumentHelp("The owners; by default, all.", valueName: "name"), transform: NamedIdentity.init)
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

struct KeysRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Create new keys for new data of identities; old keys stay for reading."
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

struct KeysRotateMaster: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-master",
        abstract: "Wrap all keys with a new master key; the data stay as they are.",
        discussion: """
            A program that has the file open needs both master keys until this is done. Running it again is safe: keys \
            already under the new master key stay so.
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
