public import MultiIdentity
public import MultiIdentityFiles

extension DataProtection {
    /// Protects a file: encrypts a managed identity's, and puts a header that names it before an unmanaged one's.
    ///
    /// The new file takes the place of the old one at once, with its permissions, its user and its recorded owner, in an index
    /// too; a file that was never seen is the identity's from then on. A crash, a full disk or an error leaves the one or the
    /// other. Other extended attributes, times and lists of access rights are not kept, and what the old content was stays on
    /// the disk until it is overwritten. Nobody may write to the file meanwhile: a change of its size is noticed, any other is
    /// lost.
    ///
    /// A file that is protected for this identity already is left as it is, or encrypted again where its key is not the
    /// current one.
    ///
    /// - Parameters:
    ///   - path: Below the root: a regular file, with this one name where it is written in its place.
    ///   - files: Keeps the owners.
    ///   - identity: The owner of the data in it.
    ///   - target: Where to write the protected file, which gets the same owner; nothing has that name yet. `nil` for the
    ///     file's own place, or its name below another root.
    ///   - other: Keeps the owners where the target is; `nil` for below this root.
    /// - Throws: ``ProtectionError``, with `.revoked` where the identity is not admitted and
    ///   `.otherOwner` where the file is protected for another; the file is as it was then.
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

    /// Gives a file its original content back, which has to be encrypted for an identity; refuses all others.
    ///
    /// The new file takes the place of the old one as in ``protectFile(_:in:for:to:in:)``, and only once all of it was
    /// found to be authentic.
    ///
    /// - Parameters:
    ///   - path: Below the root: a regular file, with this one name where it is written in its place.
    ///   - files: Keeps the owners.
    ///   - identity: The owner that the data have to be encrypted for, with a key of its own.
    ///   - target: Where to write the original, which gets the same owner; nothing has that name yet. `nil` for the file's
    ///     own place, or its name below another root.
    ///   - other: Keeps the owners where the target is; `nil` for below this root.
    /// - Throws: ``ProtectionError``; the file is as it was then.
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

    /// Gives a file its original content back, of any owner; a file that was never protected is left as it is.
    ///
    /// So it says nothing about who made the file: where it has to be an identity's own, use
    /// ``unprotectFile(_:in:expecting:to:in:)``.
    ///
    /// - Parameters:
    ///   - path: Below the root: a regular file, with this one name where it is written in its place.
    ///   - files: Keeps the owners.
    ///   - target: Where to write the original, which gets the same owner. `nil` for the file's own place, or its name below
    ///     another root.
    ///   - other: Keeps the owners where the target is; `nil` for below this root.
    /// - Throws: ``ProtectionError``; the file is as it was then.
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

    /// Has a body write a file's new form, in its place or elsewhere.
    ///
    /// `unseen`: The owner of a file that was never seen. `body`: Writes the new file, or returns that there is nothing to do.
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
            // Where it is copied, the other names keep what they are to keep.
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
