import ArgumentParser
import MultiIdentityPolicy

/// Where owners are recorded.
struct StorageOptions: ParsableArguments {
    /// Where the owners of files are kept.
    enum Records: String, ExpressibleByArgument, CaseIterable {
        case attributes, index, automatic
    }

    @Option(
        help: ArgumentHelp(
            "The folder whose files have owners; else MULTI_IDENTITY_ROOT, else the folder of each file.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var root: String?

    @Option(
        help: ArgumentHelp("The folder of the owners' index; else MULTI_IDENTITY_INDEX.", valueName: "folder"),
        completion: .directory
    )
    var index: String?

    @Option(help: "Where owners are kept: in the index where one is given, else in the files' attributes.")
    var records: Records?

    /// The root that was named, if any.
    var namedRoot: String? { root ?? Setting.root.value }

    /// The root, which the command needs.
    func requiredRoot() throws(CommandFailure) -> String { try Setting.root.required(root, "--root") }

    /// Opens a folder whose files have owners.
    func files(in root: String) throws -> IdentityFileSystem {
        try IdentityFileSystem(root: root, records: try ownerRecords())
    }

    /// Whether owners are with the files, wherever these are.
    var keepsAttributes: Bool { (try? ownerRecords()) == .attributes }

    private func ownerRecords() throws(CommandFailure) -> OwnerRecords {
        let folder = index ?? Setting.index.value
        switch records ?? (folder == nil ? .attributes : .index) {
        case .attributes: return .attributes
        case .index: return .index(in: try Setting.index.required(folder, "--index"))
        case .automatic: return .automatic(indexIn: try Setting.index.required(folder, "--index"))
        }
    }
}
