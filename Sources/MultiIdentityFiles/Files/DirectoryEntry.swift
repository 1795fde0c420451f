/// A name in an open directory below the root.
struct DirectoryEntry: ~Copyable {
    let folder: OpenFile
    let name: String
    let path: RootedPath

    /// Returns the status of what has the name now, a symbolic link not followed; `nil` if nothing has.
    func status() throws(IdentityFileError) -> FileStatus? {
        do { return try folder.status(of: name) } catch {
            if error.isNotFound { return nil }
            throw IdentityFileError(error, path.text)
        }
    }

    /// Returns the status of what has the name now, which has to be a regular file.
    func fileStatus() throws(IdentityFileError) -> FileStatus {
        let status = try IdentityFileError.from(path.text) { () throws(SystemCallError) in try folder.status(of: name) }
        guard status.isFile else { throw IdentityFileError(notAFile: path.text) }
        return status
    }

    /// Opens the regular file that has the name.
    func openFile(_ access: OpenFile.Access) throws(IdentityFileError) -> OpenFile {
        _ = try fileStatus()
        let file = try IdentityFileError.from(path.text) { () throws(SystemCallError) in try folder.open(name, access) }
        let status = try IdentityFileError.from(path.text) { () throws(SystemCallError) in try file.status() }
        guard status.isFile else { throw IdentityFileError(notAFile: path.text) }
        return file
    }
}

extension IdentityFileSystem {
    /// Returns the entry of a path; its directory has to be there, the path itself need not.
    func place(_ path: String) throws(IdentityFileError) -> DirectoryEntry {
        let path = try RootedPath(path)
        let (folder, name) = path.parts
        let opened = try IdentityFileError.from(path.text) { () throws(SystemCallError) in
            try directory.openBeneath(folder, .directory)
        }
        return DirectoryEntry(folder: opened, name: name, path: path)
    }
}
