import ArgumentParser
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection

/// The options for what belongs to accounts, and is wiped with them.
struct WipeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A folder of files with owners; repeat the option for more; default: MULTI_IDENTITY_ROOT.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var root: [String] = []

    @Option(
        help: ArgumentHelp("The folder of the owners' index; else MULTI_IDENTITY_INDEX.", valueName: "folder"),
        completion: .directory
    )
    var index: String?

    @OptionGroup var keys: KeyOptions

    @Flag(help: "Wipe without keys: there are none.")
    var noKeys = false

    @OptionGroup var policy: PolicyOptions

    @Flag(help: "Wipe an identity that no policy names, or without policies.")
    var unmanaged = false

    @OptionGroup var journals: JournalOptions

    /// Makes the wipe; its handler leaves the files to it, and has nothing else to remove.
    ///
    /// - Throws: ``CommandFailure`` that lists all that is not named: a wipe would leave what it does not know.
    func wipe() throws -> IdentityWipe {
        let missing = missing
        guard missing.isEmpty else {
            throw CommandFailure(.usage, "missingSetting", missing.joined(separator: " "))
        }
        return try IdentityWipe(
            journals: journals.path,
            accounts: unmanaged ? EverybodyManaged() : policy.managed(),
            storages: try storages(),
            keys: try keyFile()
        ) { _ in .notRemoved }
    }

    /// What to do about each thing that is not named.
    var missing: [String] {
        [
            (root.isEmpty && !Setting.root.isSet, Setting.root.advice("--root")),
            (
                !noKeys && !keys.areNamed,
                "Pass --keys and --master-key-file, or set \(Setting.keys.rawValue) and \(Setting.masterKeyFile.rawValue), "
                    + "or the keys would stay; if there are none, pass --no-keys."
            ),
            (
                !unmanaged && !policy.isNamed,
                "Pass --policy or set \(Setting.policy.rawValue), which guards against a mistyped name; or pass --unmanaged."
            ),
            (journals.journals == nil && !Setting.journals.isSet, Setting.journals.advice("--journals")),
        ].filter(\.0).map(\.1)
    }

    private func storages() throws -> [any WipedStorage] {
        let roots = root.isEmpty ? try [Setting.root.required(nil, "--root")] : root
        guard let index = index ?? Setting.index.value else {
            return try roots.map { try IdentityFileSystem(root: $0, records: .attributes) }
        }
        guard let root = roots.first, roots.count == 1 else {
            throw CommandFailure(.usage, "severalRoots", "An index belongs to one root; pass one, or no --index.")
        }
        return [try IdentityFileSystem(root: root, records: .index(in: index))]
    }

    private func keyFile() throws -> KeyFile? {
        if noKeys { return nil }
        return try keys.keyFile()
    }
}

/// The option for the folder of wipe journals.
struct JournalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder for wipe journals only; default: MULTI_IDENTITY_JOURNALS.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var journals: String?

    /// The folder.
    var path: String {
        get throws(CommandFailure) { try Setting.journals.required(journals, "--journals") }
    }
}
