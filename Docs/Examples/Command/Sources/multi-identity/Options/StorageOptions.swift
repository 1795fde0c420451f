import ArgumentParser
import MultiIdentityFiles

/// The options that say where owners are recorded.
struct StorageOptions: ParsableArguments {
    /// The place where the owners of files are kept.
    enum Records: String, ExpressibleByArgument, CaseIterable {
        case attributes, index, automatic
    }

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
        help: ArgumentHelp("The folder of the owners' index; else MULTI_IDENTITY_INDEX.", valueName: "folder"),
        completion: .directory
    )
    var index: String?

    @Option(help: "Where owners are kept: in the index where one is given, else in the files' attributes.")
    var records: Records?

    func validate() throws {
        guard noRoot else { return }
        if root != nil { throw ValidationError("Give --root or --no-root, not both.") }
        // An index is of one root, and knows files by their names below it.
        if index != nil || (records ?? .attributes) != .attributes {
            throw ValidationError("An index is of one root; without any, owners are kept with the files.")
        }
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
        try IdentityFileSystem(root: root, records: try ownerRecords())
    }

    private func ownerRecords() throws(CommandFailure) -> OwnerRecords {
        if noRoot { return .attributes }
        let folder = index ?? Setting.index.value
        switch records ?? (folder == nil ? .attributes : .index) {
        case .attributes: return .attributes
        case .index: return .index(in: try Setting.index.required(folder, "--index"))
        case .automatic: return .automatic(indexIn: try Setting.index.required(folder, "--index"))
        }
    }
}
