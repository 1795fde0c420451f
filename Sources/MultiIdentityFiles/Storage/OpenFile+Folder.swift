internal import CSystemCalls

extension OpenFile {
    /// Opens a path of the process to read a secret, through whatever symbolic links lead there: secrets are mounted so.
    package static func openSecret(_ path: String) throws(SystemCallError) -> OpenFile {
        guard !path.utf8.contains(0) else { throw SystemCallError("open", path, code: EINVAL) }
        return try open(path, .readingLinked)
    }

    /// Duplicates a descriptor that others own.
    package static func duplicate(of descriptor: Int32) throws(SystemCallError) -> OpenFile {
        OpenFile(taking: try checked(sys_duplicate(descriptor), "fcntl", "descriptor \(descriptor)"), path: "")
    }

    /// Opens the folder of a path of the process, even if it is a symbolic link; the last component of the path is
    /// ignored.
    ///
    /// A path with a NUL is refused, since the system would stop reading there.
    package static func folder(of path: String) throws(SystemCallError) -> OpenFile {
        guard !path.utf8.contains(0) else { throw SystemCallError("open", path, code: EINVAL) }
        let (folder, _) = AtomicReplacement.split(path)
        let descriptor = sys_open(sys_here, "\(folder)/.", sys_access_directory, 0)
        return OpenFile(taking: try checked(descriptor, "open", folder), path: folder)
    }
}
