internal import MultiIdentity

extension OwnedFileSearch {
    /// Removes files with several names: all names at once, and the content even if a name is out of reach.
    func finishLinkedNames() {
        for (key, file) in linked {
            let outcome = aim == .telling ? nil : remove(file, key)
            if outcome == nil, aim == .removing { continue }
            for (number, name) in file.names.enumerated() {
                let size = number == 0 ? file.size : 0
                if aim == .telling {
                    visit.found(name.path, bytes: size)
                } else {
                    visit.removed(name.path, bytes: size)
                }
            }
        }
        linked = [:]
        linkedFolders = [:]
    }

    /// - Returns: `nil` if not all names are removed, which was reported.
    private func remove(_ file: LinkedNames, _ key: FileKey) -> Bool? {
        var isEmptied = false
        var opened: KeptOpen?
        for (number, name) in file.names.enumerated() {
            do {
                let kept = try folder(of: name)
                try system.withNames(name.path) { (_) throws(IdentityFileError) in
                    guard let status = try status(ofOwned: name.name, in: kept.file, name.folder),
                        system.store.key(status) == key
                    else { return }
                    let isLast = number == file.names.count - 1
                    let isElsewhere = status.linkCount > UInt64(file.names.count - number)
                    try IdentityFileError.from(name.path) { () throws(SystemCallError) in
                        if opened == nil { opened = try KeptOpen(name.name, in: kept.file) }
                        if isElsewhere, !isEmptied {
                            try empty(name.name, in: kept.file)
                            isEmptied = true
                        }
                        if isEmptied, isLast {
                            try unlinkAsNobodys(name.name, in: kept.file)
                        } else {
                            try kept.file.unlink(name.name)
                        }
                    }
                }
                try IdentityFileError.from(name.path) { () throws(SystemCallError) in try kept.file.synchronize() }
            } catch {
                failed(name.path, error)
                return nil
            }
        }
        do {
            if !isEmptied { try opened?.emptyIfThere(system.store.keeping.hasAttributes) }
        } catch {
            let path = file.names.first?.path ?? ""
            failed(path, IdentityFileError(error, path))
            return nil
        }
        gone.insert(key)
        return true
    }

    /// Returns the directory of a name, if it is still the one in which the name was found.
    private func folder(of name: LinkedNames.Name) throws(IdentityFileError) -> PinnedFile {
        if let kept = linkedFolders[name.place] { return kept }
        let opened = try IdentityFileError.from(name.path) { () throws(SystemCallError) in
            let folder = try system.directory.openBeneath(name.folder.terminated, .directory)
            let status = try folder.status()
            return PinnedFile(folder, status)
        }
        guard system.store.key(opened.status) == name.place else { throw IdentityFileError(movedMeanwhile: name.path) }
        return opened
    }

    /// A file that is losing its names, kept open to find out whether an unknown name is left.
    private final class KeptOpen {
        let file: OpenFile
        init(_ name: [CChar], in folder: borrowing OpenFile) throws(SystemCallError) {
            file = try Self.opened(name, in: folder)
        }

        private static func opened(
            _ name: [CChar],
            in folder: borrowing OpenFile
        ) throws(SystemCallError) -> OpenFile {
            do { return try folder.open(name, .readingAndWriting) } catch {
                // A file that cannot be written still shows whether a name is left.
                return try folder.open(name, .reading)
            }
        }

        func emptyIfThere(_ hasAttributes: Bool) throws(SystemCallError) {
            guard try file.status().linkCount > 0 else { return }
            try file.truncate(to: 0)
            if hasAttributes { try file.removeAttribute(FileOwner.attribute) }
            try file.synchronize()
        }
    }

    /// Empties a file that has a name out of reach.
    private func empty(_ name: [CChar], in folder: borrowing OpenFile) throws(SystemCallError) {
        let file = try folder.open(name, .readingAndWriting)
        try file.truncate(to: 0)
        try file.synchronize()
    }

    /// Removes the last name in reach, and the owner, so that a name out of reach does not reveal it.
    private func unlinkAsNobodys(_ name: [CChar], in folder: borrowing OpenFile) throws(SystemCallError) {
        guard system.store.keeping.hasAttributes else { return try folder.unlink(name) }
        let file = try folder.open(name, .reading)
        try file.removeAttribute(FileOwner.attribute)
        do {
            try file.synchronize()
            try folder.unlink(name)
        } catch {
            // So that the next attempt finds it.
            try? file.setAttribute(FileOwner.attribute, to: owner.bytes)
            throw error
        }
    }

    /// Searches again in the places to which something was moved during the walk.
    ///
    /// - Parameters:
    ///   - watch: The watch of this process's moves.
    ///   - foreign: The watch of other processes' moves in the index; `nil` if there is no index.
    /// - Throws: ``WipeFailure`` if that does not end, or if the index cannot be read.
    func follow(_ watch: Int, _ foreign: Int?) throws(WipeFailure) {
        // Each round only searches what was moved during the one before.
        for _ in 0..<1_000 {
            finishLinkedNames()
            let moves: Set<RootedPath>
            do { moves = try takeMoves(watch, foreign) } catch {
                throw WipeFailure(system.storageName, because: error.message)
            }
            if moves.isEmpty { return }
            for path in moves { look(at: path) }
        }
        throw WipeFailure(
            system.storageName,
            because: "Files are being moved continuously. Wipe again when fewer files are moved."
        )
    }

    private func takeMoves(_ watch: Int, _ foreign: Int?) throws(IdentityFileError) -> Set<RootedPath> {
        try system.withNames("") { (changes) throws(IdentityFileError) in
            var moves = changes.takeMoves(watch)
            if let foreign, let index = system.store.index {
                do throws(RecordLogError) { try index.catchUp() } catch { throw IdentityFileError(error, "") }
                moves.formUnion(index.moves.withLock { $0.takeMoves(foreign) })
            }
            // Few enough to check under the lock, so that endless moves do not delay the wipe.
            return moves.count > 32 ? moves : moves.filter { mayHoldOurs($0, { changes.isMade($0, since: watch) }) }
        }
    }

    /// Returns whether something moved to a path may be, or contain, a file of the identity that was not found before.
    private func mayHoldOurs(_ path: RootedPath, _ isMade: (FileKey) -> Bool) -> Bool {
        do {
            let place = try system.place(path.text)
            guard let status = try place.status() else { return false }
            let key = system.store.key(status)
            if status.isDirectory { return !walked.contains(key) && !isMade(key) }
            guard status.isFile else { return false }
            let found = try system.owner(of: place.name, in: place.folder, FolderPath(folderOf: path))
            return found == owner || found == nil && recorded[key] != nil && !met.contains(key)
        } catch {
            // The incomplete wipe is reported only once.
            return error.code != .notFound && !isIncomplete
        }
    }

    private func look(at path: RootedPath) {
        do {
            let place = try system.place(path.text)
            guard let status = try place.status() else { return }
            let folder = FolderPath(folderOf: path)
            if status.isDirectory {
                let opened = try IdentityFileError.from(path.text) { () throws(SystemCallError) in
                    try place.folder.open(place.name, .directory)
                }
                TreeWalk.walk(opened, FolderPath(path), self)
            } else if status.isFile {
                file(place.name, in: place.folder, folder)
                left(place.folder, folder)
            }
        } catch {
            if error.code != .notFound { failed(path.text, error) }
        }
    }

    /// Removes the identity from the index, except for what is left.
    func forget(in index: OwnerIndex) {
        for (key, entry) in recorded where !gone.contains(key) && !met.contains(key) && !isIncomplete {
            if let path = entry.names.first(where: isUsurped) {
                visit.failed(
                    WipeFailure(
                        path.text,
                        because: """
                            The file that was recorded here is gone, and one that was never seen has its name. Remove it, or \
                            set its owner.
                            """
                    )
                )
            } else {
                gone.insert(key)
            }
        }
        notifyOfLosses(in: index)
        do {
            try index.forget(gone, of: owner) { if $0.isMultiple(of: 1_000) { visit.passed() } }
            try index.sweep()
        } catch { failed("", IdentityFileError(error, "")) }
    }

    /// Reports damaged records, because one may have named a file of the identity.
    func notifyOfLosses(in index: OwnerIndex) {
        if !index.hasLosses, !index.hasDoubts { return }
        let reason = """
            Records in the index of owners are damaged, and any may have named a file of the identity. Repair the index, see \
            which files were never seen or have an uncertain owner, and set their owners.
            """
        visit.failed(WipeFailure(system.storageName, because: reason))
    }

    /// Returns whether a recorded name now belongs to a file without a record.
    private func isUsurped(_ path: RootedPath) -> Bool {
        guard let place = try? system.place(path.text), let status = try? place.status(), status.isFile else {
            return false
        }
        return (try? system.owner(of: place.name, in: place.folder, FolderPath(folderOf: path))) == .some(nil)
    }
}
