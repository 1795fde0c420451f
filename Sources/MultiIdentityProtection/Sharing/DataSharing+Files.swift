public import MultiIdentity
public import MultiIdentityFiles
import MultiIdentityPolicy

extension DataSharing {
    /// Shares a copy of a file, encrypted if its owner is managed; the stored file stays as it is.
    ///
    /// - Parameters:
    ///   - path: The file, below `files`.
    ///   - files: The file system that records its owner.
    ///   - receiver: The identity whose space receives it.
    ///   - target: The copy, below `outbox`; it must not exist.
    ///   - outbox: The file system of the copy, which records the same owner.
    /// - Returns: The owner.
    /// - Throws: ``ProtectionError`` if a policy refuses, if the file has no recorded owner, or if it cannot be copied;
    ///   nothing was written.
    /// - Complexity: O(*n*) time, and constant memory.
    @discardableResult public func share(
        _ path: String,
        in files: IdentityFileSystem,
        with receiver: Identity,
        as target: String,
        in outbox: IdentityFileSystem
    ) throws(ProtectionError) -> FileOwner {
        let owner = try copy(path, in: files, to: target, in: outbox) { _, known throws(ProtectionError) in
            guard let known else { throw ProtectionError(neverSeen: path) }
            try admit(known.identity, receiver)
            return (known, known.identity ?? .nobody)
        } work: { file, size, identity throws(ProtectionError) in
            try protection.protecting(file, size: size, for: identity, inPlace: false)
        }
        record(.shared, owner.identity, "\(path) with \(receiver), as \(target)")
        return owner
    }

    /// Receives a shared file: decrypts it, and records its owner before its first byte is written.
    ///
    /// The owner of an encrypted file is the authenticated one in its header. Otherwise it is the recorded one, and a
    /// header that claims another owner is refused. A file with neither belongs to nobody.
    ///
    /// - Parameters:
    ///   - path: The shared file, below `inbox`; it stays there.
    ///   - inbox: A file system for shared files.
    ///   - receiver: The identity whose space receives it.
    ///   - target: The new file, below `files`; it must not exist.
    ///   - files: The file system that records its owner.
    /// - Returns: The owner; show the file under that identity.
    /// - Throws: ``ProtectionError`` if a policy refuses, if the owners differ, or if the file cannot be decrypted.
    ///   Nothing is left, unless the process ends in between.
    /// - Complexity: O(*n*) time, and constant memory.
    @discardableResult public func receive(
        _ path: String,
        in inbox: IdentityFileSystem,
        for receiver: Identity,
        as target: String,
        in files: IdentityFileSystem
    ) throws(ProtectionError) -> FileOwner {
        let owner = try copy(path, in: inbox, to: target, in: files) { file, known throws(ProtectionError) in
            let start = try FileStart(of: file)
            let owner = try self.owner(of: path, start.header, recorded: known)
            try admit(owner.identity, receiver)
            return (owner, start)
        } work: { file, size, start throws(ProtectionError) in
            // With the header that was decided on: a changed one does not decrypt.
            let content = try FileContent(of: file, from: start, size: size, with: protection, expecting: nil)
            return FileWork(content: content, transfer: FileTransfer())
        }
        record(.received, owner.identity, "\(path) for \(receiver), as \(target)")
        return owner
    }

    private func owner(
        of path: String,
        _ header: ProtectionHeader?,
        recorded: FileOwner?
    ) throws(ProtectionError) -> FileOwner {
        guard let header else { return recorded ?? .nobody }
        if header.encryption != nil { return FileOwner(header.owner) }
        if let recorded {
            guard recorded.identity ?? .nobody == header.owner else {
                throw ProtectionError(path, of: recorded, claims: header.owner)
            }
            return recorded
        }
        return FileOwner(header.owner)
    }

    /// Copies a file in another form.
    ///
    /// `owning`: Decides before anything is written whether that is allowed, and returns the owner and the plan for
    /// `work`. `work`: Writes the copy. A write to the file in between is noticed.
    private func copy<Plan>(
        _ path: String,
        in files: IdentityFileSystem,
        to target: String,
        in other: IdentityFileSystem,
        owning: (borrowing OpenFile, FileOwner?) throws(ProtectionError) -> (FileOwner, Plan),
        work: (borrowing OpenFile, UInt64, Plan) throws(ProtectionError) -> FileWork?
    ) throws(ProtectionError) -> FileOwner {
        var decided: (owner: FileOwner, plan: Plan, status: FileStatus)?
        try files.copy(
            path,
            to: target,
            in: other,
            replacing: false,
            failing: { ProtectionError($0) },
            owning: { (file, known) throws(ProtectionError) in
                let status = try Self.status(of: file)
                let (owner, plan) = try owning(file, known)
                decided = (owner, plan, status)
                return owner
            }
        ) { (old, new) throws(ProtectionError) in
            guard let (_, plan, status) = decided else { return }
            try work(old, status.size, plan)?.run(into: new)
            guard try Self.status(of: old) == status else { throw ProtectionError.changed(path) }
        }
        return decided?.owner ?? .unset
    }

    private static func status(of file: borrowing OpenFile) throws(ProtectionError) -> FileStatus {
        try ProtectionError.from { () throws(SystemCallError) in try file.status() }
    }
}
