import ArgumentParser

/// `keys`.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List and rotate the keys of identities.",
        subcommands: [KeysList.self, KeysRotate.self, KeysRotateMaster.self]
    )
}
