internal import CSystemCalls
internal import MultiIdentity
public import MultiIdentityPolicy

/// Files below one directory, each with the identity that owns it.
///
/// A file belongs to the effective identity of the work that creates it, or opens it for truncating. All other
/// operations keep the owner: opening, resizing, renaming, linking and copying. Owners survive a restart.
///
/// ```swift
/// let files = try IdentityFileSystem(root: "/srv/tenants", records: .automatic(indexIn: "/srv/owners"))
/// try withIdentity(ada) { () throws(IdentityFileError) in
///     try files.replace("reports/may.txt", with: Array("…".utf8))
/// }
/// try files.owner(of: "reports/may.txt")  // ada
/// ```
/// Paths are relative to the root and never lead out of it. The effect of an operation survives a power cut once it has
/// returned; one that throws has changed nothing, unless its documentation says otherwise. All operations block. The
/// class is safe to use from several threads.
public final class IdentityFileSystem: Sendable {
    /// The root as given.
    public let root: String

    /// The rule for files made by work without an identity.
    package let withoutOwner: UnownedWork

    let directory: OpenFile
    let store: OwnerStore
    let namespace: NamespaceLock
    /// A path that always refers to the opened directory, if the system supports that.
    private let rootPath: String

    /// Opens a directory of files with owners.
    ///
    /// - Parameters:
    ///   - root: An existing directory.
    ///   - records: Where owners are recorded.
    ///   - withoutOwner: The rule for files made by work without an identity: recorded as unset or nobody, or refused.
    /// - Throws: ``IdentityFileError`` if the directory does not exist, if extended attributes are required but not
    ///   supported, or if the index cannot be used or a process of an earlier version has it open.
    /// - Complexity: O(*n*) in the length of the index, if there is one.
    public init(
        root: String,
        records: OwnerRecords,
        withoutOwner: UnownedWork = .allowed
    ) throws(IdentityFileError) {
        let resolved = try IdentityFileError.from("") { () throws(SystemCallError) in try Self.resolved(root) }
        let directory = try IdentityFileError.from("") { () throws(SystemCallError) in
            try OpenFile.open(resolved, .directory)
        }
        let status = try IdentityFileError.from("") { () throws(SystemCallError) in try directory.status() }
        store = OwnerStore(try Self.keeping(records, directory), root: status)
        namespace = NamespaceChanges.lock(of: status)
        rootPath = AtomicReplacement.canNameUnnamed ? "/proc/self/fd/\(directory.descriptor)" : resolved
        self.directory = directory
        self.root = root
        self.withoutOwner = withoutOwner
        IdentityLevels.current.add(self)
    }

    private static func keeping(
        _ records: OwnerRecords,
        _ directory: borrowing OpenFile
    ) throws(IdentityFileError) -> OwnerStore.Keeping {
        switch records {
        case .attributes:
            guard try keepsAttributes(directory) else {
                throw IdentityFileError(
                    .attributesUnsupported,
                    "",
                    "\(directory.path) is on a file system without extended attributes. Keep owners in an index."
                )
            }
            return .attributes
        case .index(let folder):
            return .index(try index(in: folder, directory))
        case .automatic(let folder):
            let keepsAttributes = try keepsAttributes(directory)
            if keepsAttributes, !OwnerIndex.exists(in: folder) { return .attributes }
            let index = try index(in: folder, directory)
            return keepsAttributes ? .moving(index) : .index(index)
        }
    }

    private static func index(
        in folder: String,
        _ directory: borrowing OpenFile
    ) throws(IdentityFileError) -> OwnerIndex {
        let (parent, name) = AtomicReplacement.split(folder)
        let resolved = (try? Self.resolved(folder)) ?? (try? Self.resolved(parent)).map { "\($0)/\(name)" } ?? folder
        let prefix = directory.path.hasSuffix("/") ? directory.path : "\(directory.path)/"
        if resolved == directory.path || resolved.hasPrefix(prefix) {
            throw IdentityFileError(
                .invalidIndex,
                "",
                "The index cannot be in \(folder), which is below the root, where others could write it. Choose another folder."
            )
        }
        return try OwnerIndex(in: resolved)
    }

    /// Tries to set one, because some file systems answer attribute calls but store none.
    private static func keepsAttributes(_ directory: borrowing OpenFile) throws(IdentityFileError) -> Bool {
        do {
            do {
                let probe = try AtomicReplacement.begin("probe", in: directory, permissions: 0o600)
                try probe.file.setAttribute(FileOwner.attribute, to: FileOwner.unset.bytes)
            } catch  where !error.isNoAttributes && !error.isNoSpace {
                // A read-only root.
                _ = try directory.attribute(FileOwner.attribute, limit: FileOwner.maximumByteCount)
            }
            return true
        } catch {
            if error.isNoAttributes { return false }
            throw IdentityFileError(error, "")
        }
    }

    /// Returns the path without symbolic links.
    private static func resolved(_ path: String) throws(SystemCallError) -> String {
        guard !path.utf8.contains(0) else { throw SystemCallError("realpath", path, code: EINVAL) }
        var error: Int32 = 0
        guard let found = sys_real_path(path, &error) else { throw SystemCallError("realpath", path, code: error) }
        defer { free(found) }
        guard let resolved = String(validatingCString: found) else {
            throw SystemCallError("realpath", path, code: EILSEQ)
        }
        return resolved
    }

    /// Returns the process's path of a path below the root, for the one call that takes no descriptor.
    func processPath(of path: String) -> String { "\(rootPath)/\(path)" }

    /// Returns whether that path is longer than the system accepts in one call.
    func isTooLongAtOnce(_ path: String) -> Bool {
        rootPath.utf8.count + 1 + path.utf8.count > OpenFile.longestPath
    }
}
