/// The outcome of locking the file that a name stands for.
package enum NamedLock: Hashable, Sendable {
    /// It is locked, and the name stood for it then.
    case taken
    /// Another descriptor, of this process or another, has the lock.
    case inUse
    /// The name is gone, or another file's, by now: a lock on this one would keep nobody out who goes by the name.
    case stale
}

extension OpenFile {
    /// Locks the file, if it is the one that a name in a directory stands for.
    package func lock(as name: String, in directory: borrowing OpenFile) throws(SystemCallError) -> NamedLock {
        guard try lock() else { return .inUse }
        if try isNamed(name, in: directory) { return .taken }
        try unlock()
        return .stale
    }

    /// Tells whether a name in a directory stands for this very file.
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
