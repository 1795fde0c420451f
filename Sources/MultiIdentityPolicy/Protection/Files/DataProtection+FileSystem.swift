public import MultiIdentity

extension DataProtection {
    /// Protects a file below a root whose files have owners; its owner stays, in an index too.
    ///
    /// Otherwise as ``protectFile(_:for:to:progress:)``.
    ///
    /// - Parameters:
    ///   - path: Below the root: a regular file, with this one name.
    ///   - files: Keeps the owners.
    ///   - identity: Whose data it holds.
    ///   - progress: Told how far it is.
    /// - Throws: ``DataProtectionError``; the file is as it was then.
    public func protectFile(
        _ path: String,
        in files: IdentityFileSystem,
        for identity: Identity,
        progress: FileProgress? = nil
    ) throws(DataProtectionError) {
        try rewriteFile(path, in: files) { (old, status, new) throws(DataProtectionError) in
            guard let work = try protecting(old, size: status.size, for: identity, inPlace: true) else { return false }
            try work.run(into: new, progress)
            return true
        }
    }

    /// Gives a file below a root its original content back; its owner stays, in an index too.
    ///
    /// Otherwise as ``unprotectFile(_:to:progress:)``.
    ///
    /// - Parameters:
    ///   - path: Below the root: a regular file, with this one name.
    ///   - files: Keeps the owners.
    ///   - identity: Whose data they have to be, encrypted with a key of its own; `nil` for anybody's, and for files that
    ///     were never protected, which are left as they are.
    ///   - progress: Told how far it is.
    /// - Throws: ``DataProtectionError``; the file is as it was then.
    public func unprotectFile(
        _ path: String,
        in files: IdentityFileSystem,
        expecting identity: Identity? = nil,
        progress: FileProgress? = nil
    ) throws(DataProtectionError) {
        try rewriteFile(path, in: files) { (old, status, new) throws(DataProtectionError) in
            let start = try FileStart(of: old)
            let content = try FileContent(of: old, from: start, size: status.size, with: self, expecting: identity)
            if start.header == nil { return false }
            try FileWork(content: content, transfer: FileTransfer()).run(into: new, progress)
            return true
        }
    }

    /// What is thrown to leave a file as it is.
    private struct NothingToDo: Error {}

    /// `body`: Writes the new file, or returns that there is nothing to do.
    private func rewriteFile(
        _ path: String,
        in files: IdentityFileSystem,
        _ body: (borrowing OpenFile, FileStatus, borrowing OpenFile) throws(DataProtectionError) -> Bool
    ) throws(DataProtectionError) {
        do {
            try files.rewrite(path) { old, new in
                let status = try old.status()
                guard status.linkCount == 1 else { throw DataProtectionError.severalNames(path, status.linkCount) }
                guard try body(old, status, new) else { throw NothingToDo() }
                guard try old.status() == status else { throw DataProtectionError.changed(path) }
            }
        } catch let error as DataProtectionError {
            throw error
        } catch let error as IdentityFileError {
            throw DataProtectionError(error)
        } catch let error as SystemCallError {
            throw DataProtectionError(error)
        } catch {}
    }
}
