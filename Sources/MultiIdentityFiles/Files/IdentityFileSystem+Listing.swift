package import MultiIdentity

extension IdentityFileSystem {
    /// Returns the files of an owner.
    ///
    /// Files that are made, moved or removed during the search may or may not be found. The search blocks no other
    /// operation.
    ///
    /// - Parameter owner: The owner of the files; `nil` for files without a record.
    /// - Returns: The sorted paths of the files, and what could not be checked.
    /// - Complexity: One walk through everything below the root, with one system call for each file; no file is opened.
    public func files(of owner: FileOwner?) -> (paths: [String], failures: [IdentityFileError]) {
        let found = Finding(self, owner)
        TreeWalk.walk(directory, FolderPath(), found)
        return (found.paths.sorted(), found.failures)
    }

    /// Returns the owner of a name in a directory, without opening the file.
    func owner(
        of name: UnsafePointer<CChar>,
        in folder: borrowing OpenFile,
        _ path: FolderPath
    ) throws(IdentityFileError) -> FileOwner? {
        let keeping = store.keeping
        if let index = keeping.index {
            let status = try IdentityFileError.from(path.text(of: name)) { () throws(SystemCallError) in
                try folder.status(of: name)
            }
            if let owner = try index.owner(store.key(status), at: path.rooted(name)) { return owner }
        }
        return keeping.hasAttributes ? try store.attribute(of: name, in: folder, path) : nil
    }
}

/// Collects the files of one owner.
private final class Finding: TreeWalk.Visitor {
    private let system: IdentityFileSystem
    private let owner: FileOwner?
    var paths: [String] = []
    var failures: [IdentityFileError] = []

    init(_ system: IdentityFileSystem, _ owner: FileOwner?) {
        self.system = system
        self.owner = owner
    }

    func file(_ name: UnsafePointer<CChar>, in folder: borrowing OpenFile, _ path: FolderPath) {
        do {
            if try system.owner(of: name, in: folder, path) == owner { paths.append(path.text(of: name)) }
        } catch {
            if error.code != .notFound { failures.append(error) }
        }
    }

    func left(_ folder: borrowing OpenFile, _ path: FolderPath) {}
    func failed(_ path: String, _ error: IdentityFileError) { failures.append(error) }
    func passed() {}
}

extension IdentityFileSystem: NameHolder {
    package func holdings(of identity: Identity) throws -> String? {
        let owner = FileOwner.identity(identity)
        var count = try store.index?.entries.of(owner).count ?? 0
        if count == 0, store.keeping.hasAttributes {
            let found = files(of: owner)
            if let failure = found.failures.first { throw failure }
            count = found.paths.count
        }
        return count == 0 ? nil : "its own files (\(count) in \(root))"
    }
}
