import ArgumentParser
import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection

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
        try await Reporting.run("keys rotate-master", output) { reporter in
            let new = try MasterKey.fromFile(newMasterKeyFile)
            let file = try keys.keyFile(mustExist: true, under: new)
            try Interruption.guarding { try file.rotateMasterKey(to: new) }
            try reporter.tell(Entry(path: try keys.path, action: "rotated", keys: try file.listedKeys().count))
        }
    }
}
