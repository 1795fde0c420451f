/// The outcome of locking the file that a name refers to.
package enum NamedLock: Hashable, Sendable {
    /// The file is locked, and the name referred to it then.
    case taken
    /// Another descriptor, of this process or another, has the lock.
    case inUse
    /// The name is removed or refers to another file: a lock on this one would not exclude users of the name.
    case stale
}

extension OpenFile {
    /// Locks the file, if a name in a directory refers to it.
    package func lock(as name: String, in directory: borrowing OpenFile) throws(SystemCallError) -> NamedLock {
        guard try lock() else { return .inUse }
        if try isNamed(name, in: directory) { return .taken }
        try unlock()
        return .stale
    }

    /// Returns whether a name in a directory refers to this very file.
    package func isNamed(_ name: String, in directory: borrowing OpenFile) throws(SystemCallError) -> Bool {
        let own = try status()
        do {
            let found = try directory.status(of: name)
            return found.inode == own.inode && found.device == own.device
        } catch {
            if error.code == SystemCallError.notThere { return false }
            throw error
        }
    }
}
