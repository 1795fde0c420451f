internal import CSystemCalls

extension IdentityFileSystem {
    /// Returns the owner of a file; `nil` if the file has no record.
    ///
    /// Symbolic links in the path are followed, except at its end; such a link has no owner (`nil`). If others can change
    /// what the path refers to, open the file and call ``IdentityFile/owner()``.
    ///
    /// - Parameter path: The path below the root.
    /// - Returns: The owner.
    /// - Throws: ``IdentityFileError`` if the file is missing, or if the record is damaged or of a later version.
    /// - Complexity: One system call; two with an index; a few more for a path beyond `PATH_MAX`. O(*n*) in the length
    ///   of the index if another process has rewritten it.
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

    /// Changes the owner of a file and keeps its content.
    ///
    /// - Parameters:
    ///   - owner: The new owner.
    ///   - path: The path below the root; symbolic links that stay below the root are followed.
    /// - Throws: ``IdentityFileError`` if the file is missing or the new owner is revoked. If only the last step fails,
    ///   the file has its new owner, but a power cut may bring back the old one.
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
