internal import MultiIdentity

extension IdentityFileSystem {
    /// Runs a closure while no other thread of this process, and with an index no other process, adds or removes names.
    ///
    /// A name and its record change together, so that another process's wipe finds both or neither. The root itself is
    /// locked, because it cannot be replaced unnoticed.
    func withNames<Value>(
        _ path: String,
        _ body: (inout NamespaceChanges) throws(IdentityFileError) -> Value
    ) throws(IdentityFileError) -> Value {
        try namespace.withLock { (changes) throws(IdentityFileError) -> Value in
            guard let index = store.index else { return try body(&changes) }
            do throws(RecordLogError) {
                try index.turn.waiting(root) { () throws(RecordLogError) in
                    try RecordLogError.from { () throws(SystemCallError) in try directory.lock() }
                }
            } catch { throw IdentityFileError(error, path) }
            defer { try? directory.unlock() }
            return try body(&changes)
        }
    }
}
