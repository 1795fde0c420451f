internal import MultiIdentity

extension IdentityFileSystem {
    /// Gives a file a second name; it is one file, with one owner.
    ///
    /// - Parameters:
    ///   - existing: A file below the root; a symbolic link is refused.
    ///   - new: The name that it gets, too; nothing has it yet.
    /// - Throws: ``IdentityFileError``, also where the file's owner is revoked; all is as before.
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

    /// Removes a name: of a file, which is gone with its last one, or of a symbolic link.
    ///
    /// - Parameter path: Below the root; a symbolic link is not followed.
    /// - Throws: ``IdentityFileError``, also for a directory.
    public func remove(_ path: String) throws(IdentityFileError) { try remove(path, of: nil) }

    /// Removes a name, of this file alone where one is given.
    func remove(_ path: String, of file: FileStatus?) throws(IdentityFileError) {
        let place = try place(path)
        let status = try withNames(path) { (_) throws(IdentityFileError) -> FileStatus in
            guard let status = try place.status() else {
                throw IdentityFileError(SystemCallError("unlink", path, code: SystemCallError.notThere), path)
            }
            if status.isDirectory { throw IdentityFileError(notAFile: path) }
            if let file, store.key(status) != store.key(file) {
                let message = "\(path) was replaced while it was copied, and not removed. See which of both is to stay."
                throw IdentityFileError(.changedMeanwhile, path, message)
            }
            try IdentityFileError.from(path) { () throws(SystemCallError) in try place.folder.unlink(place.name) }
            return status
        }
        let synchronized = Result { () throws(SystemCallError) in try place.folder.synchronize() }
        // A record of a file that a power cut brings back is one less that is known; so only once it cannot.
        if case .success = synchronized { store.nameIsGone(status, place.path) }
        do { try synchronized.get() } catch { throw IdentityFileError(error, path) }
    }

    /// Makes a directory, which has no owner.
    ///
    /// - Parameters:
    ///   - path: Below the root; the directory that it is in exists.
    ///   - permissions: Less what the process's mask takes.
    /// - Throws: ``IdentityFileError``, also where something has the name.
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
    /// - Parameter path: Below the root.
    /// - Throws: ``IdentityFileError``, also where it is not empty.
    public func removeDirectory(_ path: String) throws(IdentityFileError) {
        let place = try place(path)
        try IdentityFileError.from(path) { () throws(SystemCallError) in
            try place.folder.removeDirectory(place.name)
            try place.folder.synchronize()
        }
    }
}
