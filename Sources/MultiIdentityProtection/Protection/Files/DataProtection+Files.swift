public import MultiIdentity
import MultiIdentityFiles

extension DataProtection {
    /// Protects a file: encrypts a managed identity's, and puts a header that names it before an unmanaged one's.
    ///
    /// The new file takes the place of the old one at once, with its permissions, its user and its recorded owner, or the
    /// identity as owner where none is recorded: a crash, a full disk or an error leaves the one or the other. Other extended attributes, times and lists of access
    /// rights are not kept, and what the old content was stays on the disk until it is overwritten. Nobody may write to
    /// the file meanwhile: a change of its size is noticed, any other is lost.
    ///
    /// A file that is protected for this identity already is left as it is, or encrypted anew where its key is not the
    /// current one.
    ///
    /// - Parameters:
    ///   - path: The file: a regular one, with this one name. Below an `IdentityFileSystem` that keeps an index, use
    ///     ``protectFile(_:in:for:to:in:progress:)``.
    ///   - identity: The owner of the data in it.
    ///   - target: Where to write the protected file; nothing has that name yet. `nil` for the file's own place.
    ///   - progress: Called with how far it is.
    /// - Throws: ``DataProtectionError``, with `.revoked` where the identity is not admitted and
    ///   `.otherOwner` where the file is protected for another; the file is as it was then.
    /// - Complexity: O(*n*) time, and constant memory: less than 1 MiB.
    public func protectFile(
        _ path: String,
        for identity: Identity,
        to target: String? = nil,
        progress: FileProgress? = nil
    ) throws(DataProtectionError) {
        let old = try FileOnDisk.open(path)
        guard let work = try protecting(old.file, size: old.status.size, for: identity, inPlace: target == nil) else {
            return try old.own(FileOwner(identity))
        }
        try Self.run(work, from: old, to: target, unseen: identity, progress)
    }

    /// Gives a file its original content back, of any owner; a file that was never protected is left as it is.
    ///
    /// So it says nothing about who made the file: where it has to be an identity's own, use
    /// ``unprotectFile(_:expecting:to:progress:)``.
    ///
    /// - Parameters:
    ///   - path: The file: a regular one, with this one name.
    ///   - target: Where to write the original; nothing has that name yet. `nil` for the file's own place.
    ///   - progress: Called with how far it is.
    /// - Throws: ``DataProtectionError``; the file is as it was then.
    /// - Complexity: O(*n*) time, and constant memory: less than 4 MiB.
    public func unprotectFileIfProtected(
        _ path: String,
        to target: String? = nil,
        progress: FileProgress? = nil
    ) throws(DataProtectionError) {
        try unprotectFile(path, expecting: nil, to: target, progress)
    }

    /// Gives a file its original content back, which has to be encrypted for an identity; refuses all others.
    ///
    /// The new file takes the place of the old one as in ``protectFile(_:for:to:progress:)``, and only once all of it was
    /// found to be authentic.
    ///
    /// - Parameters:
    ///   - path: The file: a regular one, with this one name.
    ///   - identity: The owner that the data have to be encrypted for, with a key of its own.
    ///   - target: Where to write the original; nothing has that name yet. `nil` for the file's own place.
    ///   - progress: Called with how far it is.
    /// - Throws: ``DataProtectionError``; the file is as it was then.
    public func unprotectFile(
        _ path: String,
        expecting identity: Identity,
        to target: String? = nil,
        progress: FileProgress? = nil
    ) throws(DataProtectionError) {
        try unprotectFile(path, expecting: .some(identity), to: target, progress)
    }

    /// Tells what a protected file says about itself, or `nil` for one that was never protected.
    ///
    /// It reads the header alone, needs no key, and proves nothing.
    ///
    /// - Parameter path: A regular file.
    /// - Returns: The owner that the header names, and how the data are protected.
    /// - Throws: ``DataProtectionError`` where the header is none, is cut off, or a plain file claims to be a managed
    ///   identity's.
    public func protectionInfo(ofFile path: String) throws(DataProtectionError) -> ProtectionInfo? {
        let start = try FileStart(of: FileOnDisk.open(path).file)
        if let header = start.header, header.encryption == nil {
            try admitClaim(of: header.owner, expecting: nil)
        }
        return start.info
    }

    private func unprotectFile(
        _ path: String,
        expecting expected: Identity?,
        to target: String?,
        _ progress: FileProgress?
    ) throws(DataProtectionError) {
        let old = try FileOnDisk.open(path)
        let start = try FileStart(of: old.file)
        let content = try FileContent(
            of: old.file,
            from: start,
            size: old.status.size,
            with: self,
            expecting: expected
        )
        if start.header == nil, target == nil { return }
        let work = FileWork(content: content, transfer: FileTransfer())
        try Self.run(work, from: old, to: target, unseen: expected, progress)
    }

    private static func run(
        _ work: consuming FileWork,
        from old: borrowing FileOnDisk,
        to target: String?,
        unseen: Identity?,
        _ progress: FileProgress?
    ) throws(DataProtectionError) {
        let new = try old.replacement(at: target, unseen: unseen.map { FileOwner($0) })
        try work.run(into: new.file, progress)
        try old.commit(new, at: target)
    }
}

/// Called, again and again, with how many bytes of a file have been read and how many there are; on the working thread.
public typealias FileProgress = (_ done: UInt64, _ total: UInt64) -> Void
