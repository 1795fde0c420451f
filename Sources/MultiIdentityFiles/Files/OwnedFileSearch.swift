internal import MultiIdentity

/// Finds the files of one identity for a wipe, and optionally removes them.
///
/// Files in the index are searched by their recorded names first. If any is missing, or if owners are kept with the
/// files, the rest is walked through. A lock is taken only for the few calls that remove one file.
final class OwnedFileSearch {
    enum Aim { case telling, removing }

    let system: IdentityFileSystem
    let owner: FileOwner
    let visit: WipeVisit
    let aim: Aim

    /// The index's entries of the identity.
    var recorded: [FileKey: OwnerTable.Entry] = [:]
    /// The entries that were found.
    var met: Set<FileKey> = []
    /// The entries that are permanently gone.
    var gone: Set<FileKey> = []
    var linked: [FileKey: LinkedNames] = [:]
    /// The directories of these names, kept open, because they may be renamed before the names are removed.
    ///
    /// Beyond the maximum number, directories are opened again by their paths.
    var linkedFolders: [FileKey: PinnedFile] = [:]
    private static let openFolders = 64
    /// Directories that were searched, and are not searched again under a new name.
    ///
    /// Only moves can bring files of the identity there since, and each move is noted.
    var walked: Set<FileKey> = []
    /// The names to remove from directories that are being read, by descriptor; removed once all are read, because a file
    /// system may skip some otherwise.
    private var due: [Int32: [[CChar]]] = [:]
    /// Indicates whether something was not checked.
    var isIncomplete = false
    var rootFailure: WipeFailure?

    init(_ system: IdentityFileSystem, _ identity: Identity, _ aim: Aim, _ visit: WipeVisit) throws(WipeFailure) {
        self.system = system
        self.owner = .identity(identity)
        self.aim = aim
        self.visit = visit
        do { recorded = try system.store.index?.entries.of(owner) ?? [:] } catch {
            throw WipeFailure(system.storageName, because: error.message)
        }
    }

    /// Checks the files with recorded names.
    func goThroughRecorded() {
        // By bytes, because canonically equivalent strings are equal.
        var folders: [[UInt8]: [String]] = [:]
        for name in recorded.values.lazy.flatMap(\.names) {
            let (folder, last) = name.parts
            folders[Array(folder.utf8), default: []].append(last)
        }
        for (bytes, names) in folders.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let path = String(decoding: bytes, as: UTF8.self)
            // A directory that is gone, or now leads elsewhere: the walk finds its former content.
            guard let folder = try? system.directory.openBeneath(path, .directory) else { continue }
            let folderPath = path.isEmpty ? FolderPath() : FolderPath(RootedPath(known: path))
            for name in names {
                if let status = try? folder.status(of: name), status.isFile { file(name, in: folder, folderPath) }
                visit.passed()
            }
            left(folder, folderPath)
        }
    }

    /// Indicates whether files may be where no record says.
    var needsWalk: Bool {
        system.store.keeping.hasAttributes || !recorded.keys.allSatisfy(met.contains)
            || linked.values.contains(where: \.isIncomplete)
    }

    func walk() { TreeWalk.walk(system.directory, FolderPath(), self) }
}

extension OwnedFileSearch: TreeWalk.Visitor {
    func file(_ name: UnsafePointer<CChar>, in folder: borrowing OpenFile, _ path: FolderPath) {
        do {
            guard let found = try system.owner(of: name, in: folder, path) else {
                return unseen(name, in: folder, path)
            }
            guard found == owner else { return }
            let status = try IdentityFileError.from(path.text(of: name)) { () throws(SystemCallError) in
                try folder.status(of: name)
            }
            let key = system.store.key(status)
            if status.linkCount > 1 {
                try addLinked(FolderPath.bytes(of: name), in: folder, path, status)
            } else if aim == .removing {
                due[folder.descriptor, default: []].append(FolderPath.bytes(of: name))
            } else if !met.contains(key) {
                visit.found(path.text(of: name), bytes: status.size)
            }
            if recorded[key] != nil { met.insert(key) }
        } catch {
            if error.code != .notFound { failed(path.text(of: name), error) }
        }
    }

    /// Reports a file without a record that may be a renamed one of the identity; without a birth time they cannot be
    /// distinguished.
    private func unseen(_ name: UnsafePointer<CChar>, in folder: borrowing OpenFile, _ path: FolderPath) {
        if system.store.hasBirthTimes || recorded.isEmpty { return }
        guard let status = try? folder.status(of: name), case let key = system.store.key(status), recorded[key] != nil
        else { return }
        met.insert(key)
        visit.failed(
            WipeFailure(
                path.text(of: name),
                because: """
                    It has the inode of one of the identity's files and another name: whether it is that file cannot be known \
                    here. Set its owner.
                    """
            )
        )
    }

    func begins(_ directory: FileStatus) -> Bool { walked.insert(system.store.key(directory)).inserted }

    func left(_ folder: borrowing OpenFile, _ path: FolderPath) {
        var rest = (due.removeValue(forKey: folder.descriptor) ?? [])[...]
        while !rest.isEmpty {
            removeAll(rest.prefix(Self.batch), in: folder, path)
            rest = rest.dropFirst(Self.batch)
        }
    }

    /// The number of removals between synchronizations: in a large directory, a crash loses the count of only these.
    private static let batch = 1_000

    private func removeAll(_ names: ArraySlice<[CChar]>, in folder: borrowing OpenFile, _ path: FolderPath) {
        var removed: [(path: String, FileStatus)] = []
        for name in names {
            do {
                if let status = try remove(name, in: folder, path) { removed.append((path.text(of: name), status)) }
            } catch { failed(path.text(of: name), error) }
            visit.passed()
        }
        if removed.isEmpty { return }
        do { try folder.synchronize() } catch { return failed(path.text, IdentityFileError(error, path.text)) }
        for (path, status) in removed {
            gone.insert(system.store.key(status))
            visit.removed(path, bytes: status.size)
        }
    }

    func passed() { visit.passed() }

    func failed(_ path: String, _ error: IdentityFileError) {
        isIncomplete = true
        let failure = WipeFailure(path.isEmpty ? system.storageName : path, because: error.message)
        if path.isEmpty { rootFailure = failure }
        visit.failed(failure)
    }

    private func addLinked(
        _ name: [CChar],
        in folder: borrowing OpenFile,
        _ path: FolderPath,
        _ status: FileStatus
    ) throws(IdentityFileError) {
        try IdentityFileError.from(path.text) { () throws(SystemCallError) in
            let place = try folder.status()
            let placeKey = system.store.key(place)
            if linkedFolders[placeKey] == nil, linkedFolders.count < Self.openFolders,
                // If no more directories can be open, its path must do.
                let copy = try? folder.duplicate()
            {
                linkedFolders[placeKey] = PinnedFile(copy, place)
            }
            linked[system.store.key(status), default: LinkedNames()].add(name, in: path, placeKey, status)
        }
    }

    /// Removes a name if it still is one of the identity's files.
    private func remove(
        _ name: [CChar],
        in folder: borrowing OpenFile,
        _ path: FolderPath
    ) throws(IdentityFileError) -> FileStatus? {
        try system.withNames(path.text) { (_) throws(IdentityFileError) -> FileStatus? in
            guard let status = try status(ofOwned: name, in: folder, path) else { return nil }
            if status.linkCount > 1 {
                // It has gone since it was found.
                try addLinked(name, in: folder, path, status)
                return nil
            }
            try IdentityFileError.from(path.text(of: name)) { () throws(SystemCallError) in try folder.unlink(name) }
            return status
        }
    }

    /// The status of a name that is one of the identity's files; asked under the lock of names.
    func status(
        ofOwned name: [CChar],
        in folder: borrowing OpenFile,
        _ path: FolderPath
    ) throws(IdentityFileError) -> FileStatus? {
        do {
            let status = try IdentityFileError.from(path.text(of: name)) { () throws(SystemCallError) in
                try folder.status(of: name)
            }
            guard status.isFile, try system.owner(of: name, in: folder, path) == owner else { return nil }
            return status
        } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }
}
