internal import MultiIdentity

extension IdentityFileSystem {
    /// Runs a closure while no one else adds or removes names: no thread of this process, and with an index no process.
    ///
    /// What is recorded of a name and the name itself change together, so that a wipe of another process finds both or
    /// neither. The root itself is locked, since it cannot be removed and replaced unnoticed.
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
