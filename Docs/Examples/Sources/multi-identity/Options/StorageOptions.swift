import ArgumentParser
import MultiIdentityFiles

/// The options for the folders of files with owners, and for the recorded owners.
struct StorageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of files with owners; nothing outside is changed; default: MULTI_IDENTITY_ROOT.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var root: String?

    @Flag(help: "Accept files from anywhere; ignores any root, and keeps owners with the files.")
    var noRoot = false

    @Option(
        help: ArgumentHelp(
            "The folder of the owners' index; default: MULTI_IDENTITY_INDEX, otherwise the files' attributes.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var index: String?

    func validate() throws {
        if noRoot, root != nil { throw ValidationError("Pass --root or --no-root, not both.") }
        // An index identifies files by their names below its root.
        if noRoot, index != nil { throw ValidationError("An index belongs to one root; pass --root.") }
    }

    /// The root from the option or the variable, which mean the same.
    var namedRoot: String? { noRoot ? nil : root ?? Setting.root.value }

    /// Returns the root, which the command requires.
    func requiredRoot() throws(CommandFailure) -> String {
        if noRoot {
            throw CommandFailure(.usage, "needsRoot", "This applies to a whole root; pass --root, not --no-root.")
        }
        return try Setting.root.required(root, "--root")
    }

    /// Opens a folder of files with owners.
    func files(in root: String) throws -> IdentityFileSystem {
        let index = noRoot ? nil : index ?? Setting.index.value
        return try IdentityFileSystem(root: root, records: index.map { .index(in: $0) } ?? .attributes)
    }
}
