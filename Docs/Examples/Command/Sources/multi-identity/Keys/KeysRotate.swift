import ArgumentParser
import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection

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
        try await Reporting.run("keys rotate", output) { reporter in
            let file = try keys.keyFile(mustExist: true)
            for owner in owners {
                try reporter.each(owner.identity.name) {
                    let id = try Interruption.guarding { try file.rotateKey(of: owner.identity) }
                    try reporter.tell(Entry(action: "rotated", key: "\(id)", identity: owner.identity.name))
                }
            }
        }
    }
}
