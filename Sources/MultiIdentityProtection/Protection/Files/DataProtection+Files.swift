public import MultiIdentity
public import MultiIdentityFiles

extension DataProtection {
    /// Protects a file: encrypts a file of a managed identity, and adds a header with the owner to other files.
    ///
    /// The new file atomically replaces the old one and keeps its permissions, its user and its recorded owner. A file
    /// without a record belongs to the identity from then on. A crash, a full disk or an error leaves the old file or the
    /// new one, never a mixture. Other extended attributes, times and access control lists are not kept, and the old
    /// content stays on the disk until it is overwritten. No one may write to the file meanwhile: if that is noticed, this
    /// throws; otherwise the change is lost.
    ///
    /// A file that is already protected for this identity stays as it is, or is encrypted again if its key is not the
    /// current one.
    ///
    /// - Parameters:
    ///   - path: A regular file below the root; if it is replaced in place, this must be its only name.
    ///   - files: The file system that records the owner.
    ///   - identity: The owner of the data.
    ///   - target: The path of the protected file, which gets the same owner; it must not exist. `nil` for the same
    ///     path, here or below another root.
    ///   - other: The file system of the target; `nil` for `files`.
    /// - Throws: ``ProtectionError``, with `.revoked` if the identity is not admitted and `.otherOwner` if the file is
    ///   protected for another; the file is unchanged.
    /// - Complexity: O(*n*) time, and constant memory: less than 1 MiB.
    public func protectFile(
        _ path: String,
        in files: IdentityFileSystem,
        for identity: Identity,
        to target: String? = nil,
        in other: IdentityFileSystem? = nil
    ) throws(ProtectionError) {
        let isInPlace = target == nil && other == nil
        try writeFile(path, in: files, to: target, in: other, unseen: identity) {
            (old, status, new) throws(ProtectionError) in
            guard let work = try protecting(old, size: status.size, for: identity, inPlace: isInPlace) else {
                return false
            }
            try work.run(into: new)
            return true
        }
    }

    /// Restores the original content of a file that is encrypted for an identity, and refuses all other files.
    ///
    /// The new file replaces the old one as in ``protectFile(_:in:for:to:in:)``, and only after all of it was
    /// authenticated.
    ///
    /// - Parameters:
    ///   - path: A regular file below the root; if it is replaced in place, this must be its only name.
    ///   - files: The file system that records the owner.
    ///   - identity: The identity that the data must be encrypted for, with a key of its own.
    ///   - target: The path of the original, which gets the same owner; it must not exist. `nil` for the same path,
    ///     here or below another root.
    ///   - other: The file system of the target; `nil` for `files`.
    /// - Throws: ``ProtectionError``; the file is unchanged.
    /// - Complexity: O(*n*) time, and constant memory: less than 4 MiB.
    public func unprotectFile(
        _ path: String,
        in files: IdentityFileSystem,
        expecting identity: Identity,
        to target: String? = nil,
        in other: IdentityFileSystem? = nil
    ) throws(ProtectionError) {
        try unprotectFile(path, files, .some(identity), target, other)
    }

    /// Restores the original content of a file of any owner; a file that was never protected is left as it is.
    ///
    /// This proves nothing about who made the file. If it must belong to an identity, use
    /// ``unprotectFile(_:in:expecting:to:in:)``.
    ///
    /// - Parameters:
    ///   - path: A regular file below the root; if it is replaced in place, this must be its only name.
    ///   - files: The file system that records the owner.
    ///   - target: The path of the original, which gets the same owner. `nil` for the same path, here or below another
    ///     root.
    ///   - other: The file system of the target; `nil` for `files`.
    /// - Throws: ``ProtectionError``; the file is unchanged.
    public func unprotectFileIfProtected(
        _ path: String,
        in files: IdentityFileSystem,
        to target: String? = nil,
        in other: IdentityFileSystem? = nil
    ) throws(ProtectionError) {
        try unprotectFile(path, files, nil, target, other)
    }

    private func unprotectFile(
        _ path: String,
        _ files: IdentityFileSystem,
        _ expected: Identity?,
        _ target: String?,
        _ other: IdentityFileSystem?
    ) throws(ProtectionError) {
        let isInPlace = target == nil && other == nil
        try writeFile(path, in: files, to: target, in: other, unseen: expected) {
            (old, status, new) throws(ProtectionError) in
            let start = try FileStart(of: old)
            let content = try FileContent(of: old, from: start, size: status.size, with: self, expecting: expected)
            if start.header == nil, isInPlace { return false }
            try FileWork(content: content, transfer: FileTransfer()).run(into: new)
            return true
        }
    }

    /// Writes a file's new form, in its place or elsewhere.
    ///
    /// `unseen`: The owner of a file without a record. `body`: Writes the new file; returns `false` if nothing is to change.
    private func writeFile(
        _ path: String,
        in files: IdentityFileSystem,
        to target: String?,
        in other: IdentityFileSystem?,
        unseen: Identity?,
        _ body: (borrowing OpenFile, FileStatus, borrowing OpenFile) throws(ProtectionError) -> Bool
    ) throws(ProtectionError) {
        let isInPlace = target == nil && other == nil
        let unseen = unseen.map { FileOwner($0) }
        let write: (borrowing OpenFile, borrowing OpenFile) throws -> Void = { old, new in
            let status = try old.status()
            // A copy leaves the file's other names alone.
            guard !isInPlace || status.linkCount == 1 else {
                throw ProtectionError.severalNames(path, status.linkCount)
            }
            guard try body(old, status, new) else { throw IdentityFileSystem.NothingToRewrite() }
            guard try old.status() == status else { throw ProtectionError.changed(path) }
        }
        do {
            if isInPlace {
                try files.rewrite(path, unseen: unseen, write)
            } else {
                try files.copy(
                    path,
                    to: target ?? path,
                    in: other ?? files,
                    replacing: false,
                    failing: { $0 as any Error },
                    owning: { _, known in known ?? unseen },
                    write
                )
            }
        } catch let error as ProtectionError {
            throw error
        } catch let error as IdentityFileError {
            throw ProtectionError(error)
        } catch let error as SystemCallError {
            throw ProtectionError(error)
        } catch {}
    }
}
