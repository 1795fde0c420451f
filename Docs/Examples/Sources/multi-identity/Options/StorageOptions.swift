import ArgumentParser
import MultiIdentityFiles

/// The options that say where files with owners are, and where the owners are recorded.
struct StorageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of files with owners, outside which nothing is touched; else MULTI_IDENTITY_ROOT.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var root: String?

    @Flag(help: "Take files from anywhere; whatever root is set does not count, and owners are kept with the files.")
    var noRoot = false

    @Option(
        help: ArgumentHelp(
            "The folder of the owners' index; else MULTI_IDENTITY_INDEX; without, owners are in the files' attributes.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var index: String?

    func validate() throws {
        if noRoot, root != nil { throw ValidationError("Give --root or --no-root, not both.") }
        // An index knows files by their names below its root.
        if noRoot, index != nil { throw ValidationError("An index is of one root; give --root.") }
    }

    /// The root that was named, by the option or by the variable, which mean the same.
    var namedRoot: String? { noRoot ? nil : root ?? Setting.root.value }

    /// The root, which the command needs.
    func requiredRoot() throws(CommandFailure) -> String {
        if noRoot { throw CommandFailure(.usage, "needsRoot", "It is about a whole root; give --root, not --no-root.") }
        return try Setting.root.required(root, "--root")
    }

    /// Opens a folder of files with owners.
    func files(in root: String) throws -> IdentityFileSystem {
        let index = noRoot ? nil : index ?? Setting.index.value
        return try IdentityFileSystem(root: root, records: index.map { .index(in: $0) } ?? .attributes)
    }
}
