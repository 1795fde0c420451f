internal import CSystemCalls

/// Operations on the names in a directory.
extension OpenFile {
    /// Of a name in this directory; a symbolic link is not followed.
    package func status(of name: UnsafePointer<CChar>) throws(SystemCallError) -> FileStatus {
        var found = sys_status()
        try checked(sys_status_at(descriptor, name, &found), "statx", whole(name))
        return FileStatus(found)
    }

    /// The directory above this one, by the path that messages are to call it.
    package func parent(called path: String) throws(SystemCallError) -> OpenFile {
        OpenFile(taking: try checked(sys_open(descriptor, "..", sys_access_directory, 0), "open", path), path: path)
    }

    package func unlink(_ name: UnsafePointer<CChar>) throws(SystemCallError) {
        try StorageFaults.willCall("unlink", whole(name))
        try checked(sys_unlink(descriptor, name), "unlink", whole(name))
    }

    /// A name's path, for messages.
    func whole(_ name: UnsafePointer<CChar>) -> String { "\(path)/\(String(cString: name))" }

    package func makeDirectory(_ name: String, permissions: UInt32) throws(SystemCallError) {
        try StorageFaults.willCall("mkdir", "\(path)/\(name)")
        try checked(sys_make_directory(descriptor, name, permissions), "mkdir", "\(path)/\(name)")
    }

    package func removeDirectory(_ name: String) throws(SystemCallError) {
        try StorageFaults.willCall("rmdir", "\(path)/\(name)")
        try checked(sys_remove_directory(descriptor, name), "rmdir", "\(path)/\(name)")
    }

    /// Takes the place of what has the new name.
    package func rename(
        _ name: String,
        to newName: String,
        in directory: borrowing OpenFile
    ) throws(SystemCallError) {
        try StorageFaults.willCall("rename", "\(directory.path)/\(newName)")
        let result = sys_rename(descriptor, name, directory.descriptor, newName)
        try checked(result, "rename", "\(directory.path)/\(newName)")
    }

    /// Fails where something has the new name.
    package func renameNew(
        _ name: String,
        to newName: String,
        in directory: borrowing OpenFile
    ) throws(SystemCallError) {
        try StorageFaults.willCall("rename", "\(directory.path)/\(newName)")
        let error = SystemCallError(
            "rename",
            "\(directory.path)/\(newName)",
            code: -sys_rename_new(descriptor, name, directory.descriptor, newName)
        )
        if error.code <= 0 { return }
        guard error.isNotOffered else { throw error }
        // If the file system cannot: add the new name, then remove the old one. A crash in between leaves both.
        try link(name, to: newName, in: directory)
        try unlink(name)
    }

    package func link(
        _ name: String,
        to newName: String,
        in directory: borrowing OpenFile
    ) throws(SystemCallError) {
        try StorageFaults.willCall("link", "\(directory.path)/\(newName)")
        let result = sys_link(descriptor, name, directory.descriptor, newName)
        try checked(result, "link", "\(directory.path)/\(newName)")
    }

    /// Calls a function for each name in this directory, in no order; "." and ".." are left out.
    ///
    /// For names that are not UTF-8, `name` is `nil`, since no string would open them again.
    package func forEachName<Failure: Error>(
        _ body: (_ name: String?, _ kind: FileKind) throws(Failure) -> Void,
        failing: (SystemCallError) -> Failure
    ) throws(Failure) {
        try forEachRawName(
            { (name, kind) throws(Failure) in try body(String(validatingCString: name), kind) },
            failing: failing
        )
    }

    /// As ``forEachName(_:failing:)`` with the bytes that the directory has, good until `body` returns.
    package func forEachRawName<Failure: Error>(
        _ body: (_ name: UnsafePointer<CChar>, _ kind: FileKind) throws(Failure) -> Void,
        failing: (SystemCallError) -> Failure
    ) throws(Failure) {
        var listing: OpaquePointer?
        let opened = sys_list(descriptor, &listing)
        guard opened >= 0, let listing else {
            throw failing(SystemCallError("opendir", path, code: opened < 0 ? -opened : 0))
        }
        defer { sys_end_listing(listing) }
        while true {
            var name: UnsafePointer<CChar>?
            var kind = sys_kind_unknown
            let result = sys_next(listing, &name, &kind)
            if result < 0 { throw failing(SystemCallError("readdir", path, code: -result)) }
            guard result > 0, let name else { return }
            try body(name, FileKind(kind))
        }
    }
}

extension SystemCallError {
    /// Indicates whether the file system does not support a kind of rename.
    fileprivate var isNotOffered: Bool { sys_is_not_offered(code) != 0 }
}
