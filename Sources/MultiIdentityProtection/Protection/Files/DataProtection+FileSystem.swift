public import MultiIdentity
public import MultiIdentityFiles

extension DataProtection {
    /// Protects a file below a root of files with owners; its owner stays, in an index too.
    ///
    /// A file that was never seen is the identity's from then on.
    /// Otherwise as ``protectFile(_:for:to:progress:)``.
    ///
    /// - Parameters:
    ///   - path: Below the root: a regular file, with this one name where it is written in its place.
    ///   - files: Keeps the owners.
    ///   - identity: The owner of the data in it.
    ///   - target: Where to write the protected file, which gets the same owner; nothing has that name yet. `nil` for the
    ///     file's own place, or its name below another root.
    ///   - other: Keeps the owners where the target is; `nil` for below this root.
    ///   - progress: Called with how far it is.
    /// - Throws: ``DataProtectionError``; the file is as it was then.
    public func protectFile(
        _ path: String,
        in files: IdentityFileSystem,
        for identity: Identity,
        to target: String? = nil,
        in other: IdentityFileSystem? = nil,
        progress: FileProgress? = nil
    ) throws(DataProtectionError) {
        let isInPlace = target == nil && other == nil
        try writeFile(path, in: files, to: target, in: other, unseen: identity) {
            (old, status, new) throws(DataProtectionError) in
            guard let work = try protecting(old, size: status.size, for: identity, inPlace: isInPlace) else {
                return false
            }
            try work.run(into: new, progress)
            return true
        }
    }

    /// Gives a file below a root its original content back, which has to be encrypted for an identity; its owner stays, in
    /// an index too.
    ///
    /// A file that was never seen is the identity's from then on.
    /// Otherwise as ``unprotectFile(_:expecting:to:progress:)``.
    ///
    /// - Parameters:
    ///   - path: Below the root: a regular file, with this one name where it is written in its place.
    ///   - files: Keeps the owners.
    ///   - identity: The owner that the data have to be encrypted for, with a key of its own.
    ///   - target: Where to write the original, which gets the same owner; nothing has that name yet. `nil` for the file's
    ///     own place, or its name below another root.
    ///   - other: Keeps the owners where the target is; `nil` for below this root.
    ///   - progress: Called with how far it is.
    /// - Throws: ``DataProtectionError``; the file is as it was then.
    public func unprotectFile(
        _ path: String,
        in files: IdentityFileSystem,
        expecting identity: Identity,
        to target: String? = nil,
        in other: IdentityFileSystem? = nil,
        progress: FileProgress? = nil
    ) throws(DataProtectionError) {
        try unprotectFile(path, files, .some(identity), target, other, progress)
    }

    /// Gives a file below a root its original content back, and leaves one that was never protected as it is.
    ///
    /// Otherwise as ``unprotectFileIfProtected(_:to:progress:)``, and ``unprotectFile(_:in:expecting:to:in:progress:)``.
    ///
    /// - Parameters:
    ///   - path: Below the root: a regular file, with this one name where it is written in its place.
    ///   - files: Keeps the owners.
    ///   - target: Where to write the original, which gets the same owner. `nil` for the file's own place, or its name below
    ///     another root.
    ///   - other: Keeps the owners where the target is; `nil` for below this root.
    ///   - progress: Called with how far it is.
    /// - Throws: ``DataProtectionError``; the file is as it was then.
    public func unprotectFileIfProtected(
        _ path: String,
        in files: IdentityFileSystem,
        to target: String? = nil,
        in other: IdentityFileSystem? = nil,
        progress: FileProgress? = nil
    ) throws(DataProtectionError) {
        try unprotectFile(path, files, nil, target, other, progress)
    }

    private func unprotectFile(
        _ path: String,
        _ files: IdentityFileSystem,
        _ expected: Identity?,
        _ target: String?,
        _ other: IdentityFileSystem?,
        _ progress: FileProgress?
    ) throws(DataProtectionError) {
        let isInPlace = target == nil && other == nil
        try writeFile(path, in: files, to: target, in: other, unseen: expected) {
            (old, status, new) throws(DataProtectionError) in
            let start = try FileStart(of: old)
            let content = try FileContent(of: old, from: start, size: status.size, with: self, expecting: expected)
            if start.header == nil, isInPlace { return false }
            try FileWork(content: content, transfer: FileTransfer()).run(into: new, progress)
            return true
        }
    }

    /// Has a body write a file's new form, in its place or elsewhere.
    ///
    /// `unseen`: The owner of a file that was never seen. `body`: Writes the new file, or returns that there is nothing to do.
    private func writeFile(
        _ path: String,
        in files: IdentityFileSystem,
        to target: String?,
        in other: IdentityFileSystem?,
        unseen: Identity?,
        _ body: (borrowing OpenFile, FileStatus, borrowing OpenFile) throws(DataProtectionError) -> Bool
    ) throws(DataProtectionError) {
        let isInPlace = target == nil && other == nil
        let unseen = unseen.map { FileOwner($0) }
        let write: (borrowing OpenFile, borrowing OpenFile) throws -> Void = { old, new in
            let status = try old.status()
            // Where it is copied, the other names keep what they are to keep.
            guard !isInPlace || status.linkCount == 1 else {
                throw DataProtectionError.severalNames(path, status.linkCount)
            }
            guard try body(old, status, new) else { throw IdentityFileSystem.NothingToRewrite() }
            guard try old.status() == status else { throw DataProtectionError.changed(path) }
        }
        do {
            if isInPlace {
                try files.rewrite(path, unseen: unseen, write)
            } else {
                try files.copy(
                    path,
                    to: target ?? path,
                    in: other ?? files,
                    existing: .kept,
                    failing: { $0 as any Error },
                    owning: { _, known in known ?? unseen },
                    write
                )
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
