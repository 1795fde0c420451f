internal import MultiIdentity

extension IdentityFileSystem {
    /// Adds another name (a hard link) to a file; the file keeps its owner.
    ///
    /// - Parameters:
    ///   - existing: A file below the root; a symbolic link is refused.
    ///   - new: The additional name, which must not exist.
    /// - Throws: ``IdentityFileError``, also if the file's owner is revoked; nothing has changed.
    public func link(_ existing: String, to new: String) throws(IdentityFileError) {
        let old = try place(existing)
        let target = try place(new)
        let status = try old.fileStatus()
        let owner = try store.owner(of: try old.openFile(.reading), old.path)
        let key = store.key(status)
        var isRecorded = false
        do {
            try withNames(new) { (changes) throws(IdentityFileError) in
                try admit(owner, new)
                if let owner, try store.index?.entry(key) != nil {
                    try store.record(.put(key, owner, target.path), target.path)
                    isRecorded = true
                }
                changes.noteMove(to: target.path)
                try IdentityFileError.from(new) { () throws(SystemCallError) in
                    try old.folder.link(old.name, to: target.name, in: target.folder)
                }
            }
        } catch {
            if isRecorded { store.index?.recordIfPossible(.unname(key, target.path)) }
            throw error
        }
        try IdentityFileError.from(new) { () throws(SystemCallError) in try target.folder.synchronize() }
    }

    /// Removes a name of a file, or a symbolic link; a file is removed with its last name.
    ///
    /// - Parameter path: The path below the root; a symbolic link is not followed.
    /// - Throws: ``IdentityFileError``, also for a directory.
    public func remove(_ path: String) throws(IdentityFileError) { try remove(path, of: nil) }

    /// Removes a name; if a file is given, only if it is that file's.
    func remove(_ path: String, of file: FileStatus?) throws(IdentityFileError) {
        let place = try place(path)
        let status = try withNames(path) { (_) throws(IdentityFileError) -> FileStatus in
            guard let status = try place.status() else {
                throw IdentityFileError(SystemCallError("unlink", path, code: SystemCallError.notThere), path)
            }
            if status.isDirectory { throw IdentityFileError(notAFile: path) }
            if let file, store.key(status) != store.key(file) {
                let message =
                    "\(path) was replaced while it was copied, and was not removed. Decide which of the two files to keep."
                throw IdentityFileError(.changedMeanwhile, path, message)
            }
            try IdentityFileError.from(path) { () throws(SystemCallError) in try place.folder.unlink(place.name) }
            return status
        }
        let synchronized = Result { () throws(SystemCallError) in try place.folder.synchronize() }
        // Only now: if a power cut restored the file after its record is dropped, its owner would be unknown.
        if case .success = synchronized { store.nameIsGone(status, place.path) }
        do { try synchronized.get() } catch { throw IdentityFileError(error, path) }
    }

    /// Makes a directory; directories have no owner.
    ///
    /// - Parameters:
    ///   - path: The path below the root; its parent directory must exist.
    ///   - permissions: The permissions; the process's mask is applied.
    /// - Throws: ``IdentityFileError``, also if the name exists.
    public func makeDirectory(_ path: String, permissions: UInt32 = 0o700) throws(IdentityFileError) {
        let place = try place(path)
        try IdentityFileError.from(path) { () throws(SystemCallError) in
            try namespace.withLock { (changes) throws(SystemCallError) in
                try place.folder.makeDirectory(place.name, permissions: permissions)
                changes.noteMadeDirectory((try? place.folder.status(of: place.name)).map(store.key))
            }
            try place.folder.synchronize()
        }
    }

    /// Removes an empty directory.
    ///
    /// - Parameter path: The path below the root.
    /// - Throws: ``IdentityFileError``, also if the directory is not empty.
    public func removeDirectory(_ path: String) throws(IdentityFileError) {
        let place = try place(path)
        try IdentityFileError.from(path) { () throws(SystemCallError) in
            try place.folder.removeDirectory(place.name)
            try place.folder.synchronize()
        }
    }
}
