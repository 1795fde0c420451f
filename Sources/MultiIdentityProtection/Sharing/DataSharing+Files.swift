public import MultiIdentity
public import MultiIdentityFiles
import MultiIdentityPolicy

extension DataSharing {
    /// Gives a file away: a copy goes out, encrypted where its owner is managed, and the stored one stays as it is.
    ///
    /// - Parameters:
    ///   - path: The file, below `files`.
    ///   - files: Keeps its owner.
    ///   - receiver: The identity of the space that it is for.
    ///   - target: The copy, below `outbox`; nothing has that name yet.
    ///   - outbox: Keeps the copy's owner, who is the file's.
    /// - Returns: The owner.
    /// - Throws: ``ProtectionError``: a policy refuses it, the file was never seen, or it cannot be copied. Nothing was
    ///   written then.
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

    /// Takes a file in: it is opened for its owner, and belongs to that owner from its first byte on.
    ///
    /// The owner of an encrypted file is the one in its header, which is authenticated. Else it is the recorded one, and a
    /// header that claims another is refused. A file that has neither is nobody's.
    ///
    /// - Parameters:
    ///   - path: What was handed over, below `inbox`; it stays there.
    ///   - inbox: A root of files that are handed over.
    ///   - receiver: The identity of the space that it comes into.
    ///   - target: The file, below `files`; nothing has that name yet.
    ///   - files: Keeps its owner.
    /// - Returns: The owner, as whom it is to be shown.
    /// - Throws: ``ProtectionError``: a policy refuses it, its owners differ, or it cannot be opened. Nothing was written
    ///   then but what an interrupted operation leaves.
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
            // By the header that decided: another one that is there by now opens nothing.
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
    /// `owning`: Decides whether it may be, before anything is written, and says the owner and what `work` goes by. `work`: What
    /// is to be written. A write to the file between both is noticed.
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
