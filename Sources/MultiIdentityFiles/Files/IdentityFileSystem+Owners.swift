internal import CSystemCalls

extension IdentityFileSystem {
    /// Reading and changing the owners of files.
    ///
    /// The system is asked once, and so walks the path as it does for everybody: a symbolic link at its end is not
    /// followed and has no owner (`nil`); one to a directory on the way is. For a path that somebody else chose, open the
    /// file and ask ``IdentityFile/owner()``.
    ///
    /// - Parameter path: Below the root.
    /// - Returns: The owner; `nil` where the file was never seen.
    /// - Throws: ``IdentityFileError``: no such file, or what is recorded is damaged or of a later version.
    /// - Complexity: One system call, with an index two; some more for a path beyond `PATH_MAX`. With an index O(*n*) in its
    ///   length where another process has written it anew.
    public func owner(of path: String) throws(IdentityFileError) -> FileOwner? {
        let path = try RootedPath(path)
        if isTooLongAtOnce(path.text) {
            let place = try place(path.text)
            return try owner(of: place.name, in: place.folder, FolderPath(folderOf: path))
        }
        let keeping = store.keeping
        if let index = keeping.index {
            let status = try IdentityFileError.from(path.text) { () throws(SystemCallError) in
                try directory.status(of: path.text)
            }
            if let owner = try index.owner(store.key(status), at: path) { return owner }
            if !keeping.hasAttributes { return nil }
        }
        return try attribute(of: path)
    }

    private func attribute(of path: RootedPath) throws(IdentityFileError) -> FileOwner? {
        let limit = FileOwner.maximumByteCount
        let (size, owner) = withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
            let size = sys_get_attribute_of(processPath(of: path.text), FileOwner.attribute, buffer.baseAddress, limit)
            let found = UnsafeRawBufferPointer(rebasing: buffer[..<max(0, size)])
            return (size, Result { () throws(FileOwner.Fault) in try FileOwner(bytes: found) })
        }
        if size >= 0 {
            do { return try owner.get() } catch { throw IdentityFileError(error, path.text) }
        }
        let code = Int32(truncatingIfNeeded: -size)
        if sys_is_no_attribute(code) != 0 { return nil }
        let error = SystemCallError("lgetxattr", "\(root)/\(path.text)", code: code)
        if error.isNoAttributes { return nil }
        if error.isTooLong { throw IdentityFileError(FileOwner.Fault.damaged("it is too long"), path.text) }
        throw IdentityFileError(error, path.text)
    }

    /// Gives a file to somebody: the one way to change an owner and keep the content.
    ///
    /// - Parameters:
    ///   - owner: The owner from now on.
    ///   - path: Below the root; a symbolic link that stays there is followed.
    /// - Throws: ``IdentityFileError``: no such file, or the new owner is revoked. Where only the last call fails, which makes
    ///   the attribute lasting, the file has its new owner, and a power cut may bring back the old one.
    public func setOwner(_ owner: FileOwner, of path: String) throws(IdentityFileError) {
        try admit(owner, path)
        let path = try RootedPath(path)
        let file = try IdentityFileError.from(path.text) { () throws(SystemCallError) in
            try directory.openBeneath(path.text, .reading)
        }
        let status = try IdentityFileError.from(path.text) { () throws(SystemCallError) in try file.status() }
        guard status.isFile else { throw IdentityFileError(notAFile: path.text) }
        try setOwner(owner, of: file, path)
    }
}
