internal import MultiIdentity

extension IdentityFileSystem {
    /// Renames a file or a directory; owners stay.
    ///
    /// If the target is on another file system, a file is copied with its owner and then removed here; a crash in between
    /// leaves both. A directory cannot be moved to another file system or below another root.
    ///
    /// - Parameters:
    ///   - source: The file or directory, below this root.
    ///   - target: The new path, below the target's root.
    ///   - other: The target's root; `nil` for this one.
    ///   - replacing: Whether the move atomically replaces an existing file; otherwise the move is refused.
    /// - Throws: ``IdentityFileError``. Nothing has changed, unless another file replaced the source while it was
    ///   copied to another file system: then the file exists at both paths (`.changedMeanwhile`).
    public func move(
        _ source: String,
        to target: String,
        in other: IdentityFileSystem? = nil,
        replacing: Bool = false
    ) throws(IdentityFileError) {
        let there = other ?? self
        let old = try place(source)
        let new = try there.place(target)
        do throws(IdentityFileError) {
            if there !== self, try !canRename(old, to: there) {
                throw IdentityFileError(
                    SystemCallError("rename", target, code: SystemCallError.crossesFileSystems),
                    target
                )
            }
            try rename(old, to: new, there, replacing)
        } catch  where error.systemError?.code == SystemCallError.crossesFileSystems {
            guard let status = try old.status(), status.isFile else {
                throw IdentityFileError(
                    .crossesFileSystems,
                    source,
                    "\(source) is a directory and cannot be moved to another file system or root. Move its files one by one."
                )
            }
            try copy(source, to: target, in: there, replacing: replacing)
            try remove(source, of: status)
        }
    }

    /// Between two roots, a rename is possible only if the owner moves with the file.
    private func canRename(
        _ old: borrowing DirectoryEntry,
        to other: IdentityFileSystem
    ) throws(IdentityFileError) -> Bool {
        guard case .attributes = store.keeping, case .attributes = other.store.keeping else { return false }
        return try old.status()?.isFile == true
    }

    private func rename(
        _ old: borrowing DirectoryEntry,
        to new: borrowing DirectoryEntry,
        _ there: IdentityFileSystem,
        _ replacing: Bool
    ) throws(IdentityFileError) {
        guard let moved = try old.status() else {
            throw IdentityFileError(
                SystemCallError("rename", old.path.text, code: SystemCallError.notThere),
                old.path.text
            )
        }
        let (path, newPath) = (old.path, new.path)
        var aliased = false
        let replaced: FileStatus?
        do {
            replaced = try there.withNames(newPath.text) { (changes) throws(IdentityFileError) -> FileStatus? in
                // First: a crash in between leaves wrong names, which a wipe and a repair detect.
                aliased = try note(moved, path, newPath)
                changes.noteMove(to: newPath)
                if there !== self {
                    // Under the lock: a wipe of the other root may have searched here already.
                    try there.admit(try store.owner(of: try old.openFile(.reading), path), newPath.text)
                }
                let replaced = try new.status()
                try IdentityFileError.from(newPath.text) { () throws(SystemCallError) in
                    if replacing {
                        try old.folder.rename(old.name, to: new.name, in: new.folder)
                    } else {
                        try old.folder.renameNew(old.name, to: new.name, in: new.folder)
                    }
                }
                return replaced
            }
        } catch {
            if aliased { store.index?.recordIfPossible(undoing(moved, newPath)) }
            throw error
        }
        try IdentityFileError.from(newPath.text) { () throws(SystemCallError) in
            try new.folder.synchronize()
            try old.folder.synchronize()
        }
        // From here on, a power cut cannot restore the earlier names.
        let isSame = replaced?.inode == moved.inode && replaced?.device == moved.device
        // If both names are of one file, the system keeps both.
        if aliased, !isSame { store.index?.recordIfPossible(undoing(moved, path)) }
        if let replaced, !isSame { there.store.nameIsGone(replaced, newPath) }
    }

    /// Records the new name in the index.
    /// - Returns: Whether there was anything to record.
    private func note(
        _ moved: FileStatus,
        _ path: RootedPath,
        _ newPath: RootedPath
    ) throws(IdentityFileError) -> Bool {
        guard let index = store.index else { return false }
        if moved.isDirectory {
            try store.record(.alias(path, newPath), path)
            return true
        }
        guard let entry = try index.entry(store.key(moved)) else { return false }
        try store.record(.put(store.key(moved), entry.owner, newPath, isUncertain: entry.isUncertain), path)
        return true
    }

    private func undoing(_ moved: FileStatus, _ path: RootedPath) -> OwnerRecord {
        moved.isDirectory ? .drop(path) : .unname(store.key(moved), path)
    }
}
